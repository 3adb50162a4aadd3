//! The coordinates of the items of a layer, in a given order.
//!
//! The ideal coordinate of an item is the weighted mean of its neighbours. A layer is solved exactly: the nearest coordinates to the ideal
//! ones that respect the order and the distances are found by pooling adjacent items (isotonic regression).
//! Forward and backward sweeps solve all layers. Long edges have a larger weight, so that they are straight. Then the layers get their
//! distances, larger where edges are steep.

use super::layer::Scene;

const SWEEPS: usize = 40;
const NODE_GAP: f64 = 22.0;
const ITEM_GAP: f64 = 8.0;

pub fn place(scene: &mut Scene) {
    for layer in scene.layers.clone() {
        let mut next = 0.0;
        for pair in 0..layer.len() {
            next += if pair == 0 { 0.0 } else { distance(scene, layer[pair - 1], layer[pair]) };
            scene.across[layer[pair]] = next;
        }
    }
    let links = weighted(scene);
    for sweep in 0..SWEEPS {
        let n_layers = scene.layers.len();
        for step in 0..n_layers {
            let forth = sweep % 2 == 0;
            let at = if forth { step } else { n_layers - 1 - step };
            // WHY: at first only the layers that are settled already pull; at the end both sides do.
            let both = sweep >= SWEEPS / 2;
            settle(scene, at, &links, |other| both || if forth { other < at } else { other > at });
        }
    }
    spread(scene);
}

/// The neighbours of each item with their weights.
fn weighted(scene: &Scene) -> Vec<Vec<(usize, f64)>> {
    let mut links = vec![Vec::new(); scene.items.len()];
    for &(from, to) in &scene.links {
        let ends = usize::from(scene.items[from].is_node) + usize::from(scene.items[to].is_node);
        let weight = [6.0, 2.0, 1.0][ends];
        links[from].push((to, weight));
        links[to].push((from, weight));
    }
    links
}

fn distance(scene: &Scene, first: usize, second: usize) -> f64 {
    let (a, b) = (&scene.items[first], &scene.items[second]);
    let gap = if a.is_node && b.is_node { NODE_GAP } else { ITEM_GAP };
    a.after + b.before + gap
}

/// A pool of adjacent items: their weight, the mean of their ideal coordinates, their number.
struct Pool {
    weight: f64,
    wish: f64,
    many: usize,
}

fn settle(scene: &mut Scene, at: usize, links: &[Vec<(usize, f64)>], pulls: impl Fn(usize) -> bool) {
    let layer = scene.layers[at].clone();
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    let mut pools: Vec<Pool> = Vec::new();
    for (place, &item) in layer.iter().enumerate() {
        offset += if place == 0 { 0.0 } else { distance(scene, layer[place - 1], item) };
        offsets.push(offset);
        let (weight, wish) = wish(scene, item, links, &pulls);
        pools.push(Pool { weight, wish: wish - offset, many: 1 });
        while let [.., before, last] = pools.as_slice()
            && before.wish > last.wish
        {
            let weight = before.weight + last.weight;
            let wish = (before.wish * before.weight + last.wish * last.weight) / weight;
            let many = before.many + last.many;
            pools.truncate(pools.len() - 2);
            pools.push(Pool { weight, wish, many });
        }
    }
    let places = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.wish, pool.many));
    for ((&item, offset), place) in layer.iter().zip(offsets).zip(places) {
        scene.across[item] = place + offset;
    }
}

/// The ideal coordinate of an item and its weight.
fn wish(scene: &Scene, item: usize, links: &[Vec<(usize, f64)>], pulls: &impl Fn(usize) -> bool) -> (f64, f64) {
    let pulling = links[item].iter().filter(|(other, _)| pulls(scene.layer[*other]));
    let (weight, sum) =
        pulling.fold((0.0, 0.0), |(weight, sum), &(other, pull)| (weight + pull, sum + pull * scene.across[other]));
    match weight {
        0.0 => (0.01, scene.across[item]),
        weight => (weight, sum / weight),
    }
}

fn spread(scene: &mut Scene) {
    let mut at = 0.0;
    for layer in 0..scene.layers.len() {
        let thick = thickness(scene, layer);
        at += thick / 2.0;
        for &item in &scene.layers[layer] {
            scene.along[item] = at;
        }
        at += thick / 2.0 + gap_after(scene, layer);
    }
}

/// The extent of a layer along.
pub fn thickness(scene: &Scene, layer: usize) -> f64 {
    scene.layers[layer].iter().map(|&item| scene.items[item].along).fold(0.0, f64::max)
}

fn gap_after(scene: &Scene, layer: usize) -> f64 {
    let leaving = scene.links.iter().filter(|&&(from, _)| scene.layer[from] == layer);
    let steepest = leaving.map(|&(from, to)| (scene.across[from] - scene.across[to]).abs()).fold(0.0, f64::max);
    (13.0 + 0.16 * steepest).min(70.0)
}
