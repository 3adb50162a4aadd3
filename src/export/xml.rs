//! The XML of WATERS (`.wmod`) and of Supremica.

use super::Sheet;
use crate::automaton::view::Observability;
use std::fmt::Write;

/// Characters that XML cannot hold, in whatever form.
fn fits(name: &str) -> bool {
    !name.chars().any(|c| (c < ' ' && !"\t\n\r".contains(c)) || c == '\u{fffe}' || c == '\u{ffff}')
}

fn escape(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(escaped, "&#{};", character as u32);
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn lose(sheet: &mut Sheet<'_>, format: &str) {
    sheet.require(format, "XML has no control characters", fits);
    sheet.lose_anonymous(format);
    sheet.lose_secret(format);
    sheet.lose_the_rest(format);
}

pub(super) fn waters(sheet: &mut Sheet<'_>) {
    lose(sheet, "a .wmod file");
    let automaton = sheet.system.automaton.clone();
    let name = escape(&sheet.system.name);
    sheet.line("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>");
    sheet.line(format!(
        "<Module Name=\"{name}\" xmlns:ns2=\"http://waters.sourceforge.net/xsd/base\" \
         xmlns=\"http://waters.sourceforge.net/xsd/module\">"
    ));
    sheet.line("  <EventDeclList>");
    for event in automaton.events() {
        let observable = if sheet.observability(event) == Observability::Silent { " Observable=\"false\"" } else { "" };
        let line =
            format!("    <EventDecl Kind=\"CONTROLLABLE\" Name=\"{}\"{observable}/>", escape(sheet.event(event)));
        sheet.line(line);
    }
    sheet.line("  </EventDeclList>\n  <ComponentList>");
    sheet.line(format!("    <SimpleComponent Kind=\"PLANT\" Name=\"{name}\">\n      <Graph Deterministic=\"false\">"));
    blocked(sheet);
    waters_nodes(sheet);
    waters_edges(sheet);
    sheet.line("      </Graph>\n    </SimpleComponent>\n  </ComponentList>\n</Module>");
}

/// Events that no edge carries belong to the component all the same.
fn blocked(sheet: &mut Sheet<'_>) {
    let automaton = sheet.system.automaton.clone();
    let mut used = vec![false; automaton.n_events()];
    automaton.transitions().for_each(|(_, _, step)| used[step.event.index()] = true);
    if used.contains(&false) {
        sheet.line("        <LabelBlock>");
        for event in automaton.events().filter(|event| !used[event.index()]) {
            let line = format!("          <SimpleIdentifier Name=\"{}\"/>", escape(sheet.event(event)));
            sheet.line(line);
        }
        sheet.line("        </LabelBlock>");
    }
}

fn waters_nodes(sheet: &mut Sheet<'_>) {
    sheet.line("        <NodeList>");
    for state in sheet.system.automaton.states() {
        let initial = if sheet.is_initial(state) { " Initial=\"true\"" } else { "" };
        let line = format!("          <SimpleNode Name=\"{}\"{initial}/>", escape(sheet.state(state)));
        sheet.line(line);
    }
    sheet.line("        </NodeList>");
}

fn waters_edges(sheet: &mut Sheet<'_>) {
    let automaton = sheet.system.automaton.clone();
    sheet.line("        <EdgeList>");
    for (_, source, step) in automaton.transitions() {
        let [source, target] = [source, step.target].map(|state| escape(sheet.state(state)));
        let event = escape(sheet.event(step.event));
        let _ = writeln!(
            sheet.text,
            "          <Edge Source=\"{source}\" Target=\"{target}\">\
             <LabelBlock><SimpleIdentifier Name=\"{event}\"/></LabelBlock></Edge>"
        );
    }
    sheet.line("        </EdgeList>");
}

pub(super) fn supremica(sheet: &mut Sheet<'_>) {
    lose(sheet, "Supremica's XML");
    let automaton = sheet.system.automaton.clone();
    let name = escape(&sheet.system.name);
    sheet.line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    sheet.line(format!("<Automata name=\"{name}\" major=\"0\" minor=\"9\">"));
    sheet.line(format!("<Automaton name=\"{name}\" type=\"Plant\">\n\t<Events>"));
    for event in automaton.events() {
        let observable = if sheet.observability(event) == Observability::Silent { " observable=\"false\"" } else { "" };
        let line = format!("\t\t<Event id=\"{}\" label=\"{}\"{observable}/>", event.0, escape(sheet.event(event)));
        sheet.line(line);
    }
    sheet.line("\t</Events>\n\t<States>");
    for state in automaton.states() {
        let initial = if sheet.is_initial(state) { " initial=\"true\"" } else { "" };
        let line = format!("\t\t<State id=\"{}\" name=\"{}\"{initial}/>", state.0, escape(sheet.state(state)));
        sheet.line(line);
    }
    sheet.line("\t</States>\n\t<Transitions>");
    for (_, source, step) in automaton.transitions() {
        let (source, target, event) = (source.0, step.target.0, step.event.0);
        let _ = writeln!(sheet.text, "\t\t<Transition source=\"{source}\" dest=\"{target}\" event=\"{event}\"/>");
    }
    sheet.line("\t</Transitions>\n</Automaton>\n</Automata>");
}
