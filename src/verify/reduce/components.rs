//! Strongly connected components of silent moves inside classes.

use crate::automaton::{Automaton, StateId, Step};
use crate::verify::views::belief_system::{EPSILON, LabelId};

/// The component of each state, and how many there are: states that reach each other silently inside their class are in one.
/// A silent move inside a class leads to a component with a smaller number, or stays in its own. Cost: linear (Tarjan, 1972).
pub(super) fn silent_components(automaton: &Automaton, labels: &[LabelId], class: &[u32]) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let n = automaton.n_states();
    let (mut component, mut order, mut low) = (vec![NEW; n], vec![NEW; n], vec![NEW; n]);
    let (mut n_components, mut visited) = (0, 0);
    let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for root in 0..n as u32 {
        if order[root as usize] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (state, ref mut next)) = path.last_mut() {
            let here = state as usize;
            if *next == 0 {
                (order[here], low[here]) = (visited, visited);
                visited += 1;
                open.push(state);
            }
            let steps = automaton.steps(StateId(state));
            let inside =
                |step: &Step| labels[step.event.index()] == EPSILON && class[step.target.index()] == class[here];
            if let Some((at, step)) = steps.iter().enumerate().skip(*next).find(|(_, step)| inside(step)) {
                *next = at + 1;
                let target = step.target.index();
                if order[target] == NEW {
                    path.push((target as u32, 0));
                } else if component[target] == NEW {
                    low[here] = low[here].min(order[target]);
                }
                continue;
            }
            if low[here] == order[here] {
                while let Some(member) = open.pop() {
                    component[member as usize] = n_components;
                    if member == state {
                        break;
                    }
                }
                n_components += 1;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[here]);
            }
        }
    }
    (component, n_components as usize)
}
