//! A folder of its own for each test, and the binary run in it.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A program without anything to say about it, in as many files as one likes.
pub const GOOD: &str = "function greet(name: String) { }\n";

/// Far more than any test takes: whoever needs longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// An empty folder that goes away with the test.
pub struct Place {
    folder: tempfile::TempDir,
}

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    /// 128 + the signal if one ended it.
    pub code: i32,
}

impl Place {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a file holds.
    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// What a file holds that is text.
    pub fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names of all that a folder holds, hidden ones too.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Writes a file, with the folders it lies in.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
        self
    }

    pub fn folder(&self, name: &str) -> &Self {
        fs::create_dir_all(self.path(name)).unwrap();
        self
    }

    #[cfg(unix)]
    pub fn link(&self, to: &str, name: &str) -> &Self {
        std::os::unix::fs::symlink(to, self.path(name)).unwrap();
        self
    }

    #[cfg(unix)]
    pub fn pipe(&self, name: &str) -> &Self {
        let made = Command::new("mkfifo")
            .arg(self.path(name))
            .status()
            .unwrap();
        assert!(made.success());
        self
    }

    /// The binary, to be run in this folder, with nothing from outside that
    /// could change what it prints.
    pub fn command(&self) -> Command {
        self.command_at(env!("CARGO_BIN_EXE_symbi"))
    }

    /// `symbi` as somebody whom permissions bind: root may do everything. The
    /// folder can be entered by everybody then.
    #[cfg(unix)]
    pub fn as_nobody(&self) -> Command {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        fs::set_permissions(self.path("."), fs::Permissions::from_mode(0o755)).unwrap();
        if fs::metadata(self.path(".")).unwrap().uid() != 0 {
            return self.command();
        }
        // The original may lie where nobody else can reach it. Another process
        // copies it: a test that starts a program while a thread of this one
        // writes would inherit the open file, and a file that is open for
        // writing cannot be run.
        let copy = self.path("symbi");
        let original = env!("CARGO_BIN_EXE_symbi");
        let copied = Command::new("cp")
            .arg(original)
            .arg(&copy)
            .status()
            .unwrap();
        assert!(copied.success());
        let mut command = self.command_at("setpriv");
        command
            .args(["--reuid", "65534", "--clear-groups"])
            .arg(copy);
        command
    }

    /// Another program, likewise.
    pub fn command_at(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .current_dir(self.folder.path());
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        command.stdin(Stdio::null());
        command
    }

    /// Runs `symbi` with these arguments.
    pub fn symbi<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        run(self.command().args(args))
    }

    /// Runs `symbi` with the words of this line.
    pub fn line(&self, line: &str) -> Run {
        self.symbi(line.split_whitespace())
    }

    /// Runs `symbi` with the words of this line and this text on stdin.
    pub fn fed(&self, line: &str, text: &[u8]) -> Run {
        let mut command = self.command();
        command.args(line.split_whitespace()).stdin(Stdio::piped());
        run_fed(&mut command, text)
    }
}

/// Runs a command to its end; one that hangs fails the test.
pub fn run(command: &mut Command) -> Run {
    run_fed(command, b"")
}

/// Runs a command to its end, with this text on stdin.
pub fn run_fed(command: &mut Command, text: &[u8]) -> Run {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read all it is given.
        let _ = stdin.write_all(text);
    }
    let (sender, receiver) = mpsc::channel();
    let mut stdout = child.stdout.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    thread::spawn(move || {
        let errors = thread::spawn(move || read_all(&mut stderr));
        let text = read_all(&mut stdout);
        let _ = sender.send((text, errors.join().unwrap()));
    });
    let Ok((stdout, stderr)) = receiver.recv_timeout(PATIENCE) else {
        child.kill().unwrap();
        panic!("it hangs: {command:?}");
    };
    Run {
        stdout,
        stderr,
        code: code(child.wait().unwrap()),
    }
}

fn read_all(stream: &mut impl Read) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    String::from_utf8(bytes).expect("all that is printed is UTF-8")
}

/// The code as a shell shows it.
pub fn code(status: std::process::ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap()
}

impl Run {
    /// The words of each line of stdout: what is promised, without the padding.
    pub fn lines(&self) -> Vec<String> {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        self.stdout.lines().map(words).collect()
    }

    /// Stdout as one JSON document and nothing else.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {}", self.stdout))
    }
}
