//! Compiles the generated parser and its scanner.

fn main() {
    let sources = std::path::Path::new("src");
    println!("cargo:rerun-if-changed=src");
    cc::Build::new()
        .std("c11")
        .include(sources)
        .file(sources.join("parser.c"))
        .file(sources.join("scanner.c"))
        // What the generator writes is not ours to tidy.
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-unused-but-set-variable")
        .flag_if_supported("-Wno-trigraphs")
        .compile("tree-sitter-symbi");
}
