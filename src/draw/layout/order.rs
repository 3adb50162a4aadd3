//! The order of the items within a layer: crossing reduction.
//!
//! Forward and backward sweeps sort each layer by the median of its neighbours in the previous layer; the order with the fewest
//! crossings is kept. Then adjacent items are transposed while that removes crossings.

use super::layer::Scene;

const SWEEPS: usize = 24;
/// The number of initial orders.
const STARTS: usize = 12;

pub fn improve(scene: &mut Scene) {
    let before = neighbours(scene, false);
    let after = neighbours(scene, true);
    let starts = if scene.items.len() > 300 { 1 } else { STARTS };
    let mut best = scene.layers.clone();
    let mut fewest = usize::MAX;
    for start in 0..starts {
        walk_order(scene, &after, start);
        for sweep in 0..SWEEPS {
            let crossed = crossings(scene, &after);
            if crossed < fewest {
                fewest = crossed;
                best = scene.layers.clone();
            }
            if fewest == 0 {
                break;
            }
            let forth = sweep % 2 == 0;
            sort(scene, if forth { &before } else { &after }, forth);
            swap(scene, &before, &after);
        }
    }
    scene.layers = best;
}

/// The links of each item to the previous or next layer.
fn neighbours(scene: &Scene, after: bool) -> Vec<Vec<usize>> {
    let mut links = vec![Vec::new(); scene.items.len()];
    for &(from, to) in &scene.links {
        if after { links[from].push(to) } else { links[to].push(from) }
    }
    links
}

/// An initial order: a traversal of the links, with another start each time.
fn walk_order(scene: &mut Scene, after: &[Vec<usize>], start: usize) {
    let mut met = vec![usize::MAX; scene.items.len()];
    let mut count = 0;
    let mut roots: Vec<usize> = scene.layers.iter().flatten().copied().collect();
    roots.sort_by_key(|&item| (scene.layer[item], if start == 0 { item } else { item * 7919 * start % 1009 }));
    for root in roots {
        let mut stack = vec![root];
        while let Some(item) = stack.pop() {
            if met[item] == usize::MAX {
                met[item] = count;
                count += 1;
                let turn = (item + start) % after[item].len().max(1);
                stack.extend(
                    after[item].iter().rev().cycle().skip(if start == 0 { 0 } else { turn }).take(after[item].len()),
                );
            }
        }
    }
    for layer in &mut scene.layers {
        layer.sort_by_key(|&item| met[item]);
    }
}

fn positions(scene: &Scene) -> Vec<usize> {
    let mut position = vec![0; scene.items.len()];
    for layer in &scene.layers {
        for (at, &item) in layer.iter().enumerate() {
            position[item] = at;
        }
    }
    position
}

fn sort(scene: &mut Scene, links: &[Vec<usize>], forth: bool) {
    let n_layers = scene.layers.len();
    for step in 1..n_layers {
        let layer = if forth { step } else { n_layers - 1 - step };
        let position = positions(scene);
        let middle = |item: usize| match links[item].len() {
            0 => position[item] as f64,
            many => links[item].iter().map(|&other| position[other] as f64).sum::<f64>() / many as f64,
        };
        scene.layers[layer].sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
    }
}

/// Transposes adjacent items while that removes crossings.
fn swap(scene: &mut Scene, before: &[Vec<usize>], after: &[Vec<usize>]) {
    for _ in 0..4 {
        let mut better = false;
        let mut position = positions(scene);
        for layer in &mut scene.layers {
            for at in 1..layer.len() {
                let (a, b) = (layer[at - 1], layer[at]);
                let count = |first: usize, second: usize| {
                    let on = |links: &[Vec<usize>]| crossed(&links[first], &links[second], &position);
                    on(before) + on(after)
                };
                if count(b, a) < count(a, b) {
                    layer.swap(at - 1, at);
                    position.swap(a, b);
                    better = true;
                }
            }
        }
        if !better {
            return;
        }
    }
}

/// The crossings between the links of two items in this order.
fn crossed(first: &[usize], second: &[usize], position: &[usize]) -> usize {
    let beyond = |&a: &usize| second.iter().filter(|&&b| position[b] < position[a]).count();
    first.iter().map(beyond).sum()
}

fn crossings(scene: &Scene, after: &[Vec<usize>]) -> usize {
    let position = positions(scene);
    let pairs = |layer: &Vec<usize>| {
        let mut sum = 0;
        for (at, &a) in layer.iter().enumerate() {
            sum += layer[at + 1..].iter().map(|&b| crossed(&after[a], &after[b], &position)).sum::<usize>();
        }
        sum
    };
    scene.layers.iter().map(pairs).sum()
}
