//! B078x and K085x: the files beside the sources of a project.

use super::{Code, Level};

codes! {
    B0780 Error "a project file that cannot be read"
    B0781 Error "a key that is given twice in the project file"
    B0782 Error "a value of the wrong type in the project file"
    B0783 Error "a misspelt or unknown key in the project file"
    B0784 Warning "a table of the project file that nothing reads"
    B0785 Error "an unknown code in the project file"
    B0786 Error "an error that is switched off or waived"
    B0787 Error "an unknown level for a code"
    B0788 Error "an unknown sandbox tier in the project file"
    B0789 Error "a waiver without its code or its name"
    B0790 Error "a default sandbox below the minimum"
    K0850 Error "a tool manifest that cannot be read"
    K0851 Error "a value of the wrong type in a tool manifest"
    K0852 Error "a tool without a name"
    K0853 Error "a tool's name that sources cannot write"
    K0854 Error "an argument without a type"
    K0855 Error "an argument of an unknown type"
    K0856 Error "an enum without its values"
    K0857 Error "allowed values of an argument that is no enum"
    K0858 Error "two arguments at one position"
    K0859 Error "a default that its argument does not take"
    K0860 Error "a key that is given twice in a tool manifest"
    K0861 Error "a custom type that cannot be used"
}
