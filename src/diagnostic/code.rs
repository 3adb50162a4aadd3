//! Every code, in one table. A number is never reused.
//!
//! 01xx text and syntax, 02xx names, 03xx types and values, 04xx structure and composition, 05xx checks, 06xx foreign formats,
//! 09xx limits and files. `E` is an error, `W` a warning. Each has a page under `explain/`.

use super::Severity;
use std::fmt;

macro_rules! codes {
    ($($code:ident $title:literal;)*) => {
        /// Which fault a diagnostic reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Code { $($code,)* }

        impl Code {
            /// Every code, in order.
            pub const ALL: &'static [Code] = &[$(Code::$code,)*];

            /// The code as it is printed: `E0201`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$code => stringify!($code),)* }
            }

            /// What it is about, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$code => $title,)* }
            }

            /// The page that `desc explain` prints: Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Code::$code => include_str!(concat!("explain/", stringify!($code), ".md")),)* }
            }
        }
    };
}

codes! {
    E0101 "the text is not valid UTF-8";
    E0601 "the format of a file is not known";
    E0602 "a foreign file does not follow its format";
    E0603 "a count does not fit what follows";
    E0604 "one event is observable here and unobservable there";
    E0605 "a foreign file uses a name it does not declare";
    E0606 "a foreign file uses what has no counterpart here";
    E0607 "a foreign file holds several models";
    E0608 "a foreign file declares a name twice";
    E0609 "a file that no tool writes by itself";
    E0610 "a name that the format cannot write";
    W0611 "what the format cannot carry";
    W0612 "names are written differently";
    E0901 "a file cannot be read";
}

impl Code {
    /// `E` codes are errors, `W` codes warnings.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('W') { Severity::Warning } else { Severity::Error }
    }

    /// The code of a name such as `E0201` (any case).
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
