//! Any lines, sealed with their checksum, through the reader of certificates; then through the checker, over models in which
//! every check is violated: no proof that one of them holds may be confirmed.
#![no_main]

use desc::automaton::view::View;
use desc::check::{Settings, check};
use desc::model::{Horizon, Model, Question};
use desc::source::{NoImports, Sources};
use desc::syntax;
use desc::verdict::certificate::document::Body;
use desc::verdict::certificate::{Certificate, read, sealed, write};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

/// Everything here is violated: at once, later, from behind, under every projection.
const EXPOSED: &str = "
system Fixed {
    states A, B, C, D; initial A, B; events t, u, v; anonymous t, u; secret A;
    A -t-> C, D; B -u-> C, D; C -v-> A; D -v-> B; C -t-> C;
    check 1-step; check strong infinite-step; check infinite-step opacity; check initial-state opacity; check current-state among 3;
}
system Weak {
    states 0, 1, 2, 3, 4, 5, 6; initial 0, 1; events a, b, c, u; unobservable u; anonymous a, b;
    0 -a-> 2; 0 -b-> 2; 1 -b-> 3; 2 -b-> 2; 3 -a-> 3; 2 -c-> 4; 3 -c-> 5; 4 -u-> 6;
    check weak 0-step; check weak infinite-step; check weak infinite-step about {0, 1} | {2, 3} | {4, 5, 6};
}
";

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let mut sources = Sources::new();
    let (id, _) = syntax::read(&mut sources, "exposed.des", EXPOSED.as_bytes().to_vec());
    check(id, &mut sources, &NoImports, &Settings::default()).model.expect("a model")
});

fuzz_target!(|lines: &str| {
    let Ok(document) = read(&sealed(format!("desc certificate 1\n{lines}\nend\n"))) else { return };
    assert_eq!(read(&write(&document)).as_ref(), Ok(&document));
    let proofs = document.systems.iter().flat_map(|system| &system.proofs);
    proofs.for_each(|proof| if let Body::Holds(certificate) = &proof.body { refuse(certificate) });
});

fn refuse(certificate: &Certificate) {
    for system in MODEL.systems() {
        for question in system.checks.iter().map(|check| &check.question) {
            let Question::Property { view_id, property, horizon } = question else { continue };
            let reaches = match *horizon {
                Horizon::Steps(steps) => !certificate.initial && certificate.horizon.is_none_or(|most| most >= steps),
                Horizon::Initial => certificate.initial,
                _ => !certificate.initial && certificate.horizon.is_none(),
            };
            let observer = &system.observer(view_id.observer).observer;
            let view = View { automaton: &system.automaton, observer, projection: view_id.projection };
            assert!(!reaches || desc::verdict::certificate::check(&view, property, certificate).is_err());
        }
    }
}
