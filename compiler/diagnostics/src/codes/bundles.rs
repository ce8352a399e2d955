//! I0901 to I0929: the container of bundles, keys and signatures. What a bundle
//! holds is for the codes behind them.

use super::{Code, Level};

codes! {
    I0901 Error "a bundle that is cut short"
    I0902 Error "a file that is no bundle"
    I0903 Error "a bundle of an unknown version"
    I0904 Error "a bundle beyond a limit"
    I0905 Error "a bundle with too many entries"
    I0906 Error "two entries that are one file"
    I0907 Error "a path that cannot stand in a bundle"
    I0908 Error "a bundle that holds more or less than its manifest names"
    I0909 Error "an entry that was changed"
    I0910 Error "a manifest of a bundle that cannot be read"
    I0911 Error "a signature that cannot be read"
    I0912 Error "a signature by another algorithm"
    I0913 Error "a bundle that is damaged"
    I0914 Error "a bundle that is not as it is written"
    I0915 Error "a key that cannot be read"
    I0916 Error "a key of another kind"
    I0917 Error "the other half of a key"
    I0918 Error "a private key behind a password"
    I0919 Error "a private key that others may read"
    I0920 Error "a bundle that is not signed"
    I0921 Error "a bundle that is signed with another key"
    I0922 Error "a signature that does not fit its bundle"
    I0923 Error "a bundle or a key that cannot be opened"
    I0924 Error "a folder that a bundle cannot be unpacked into"
}
