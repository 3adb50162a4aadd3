use std::io::{BufRead, Write};
fn main() {
    let mut engine = desc_web::Engine::default();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let answer = engine.ask(&line);
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{answer}");
        let _ = out.flush();
    }
}
