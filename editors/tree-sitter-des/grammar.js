/**
 * @file The .des language: anonymity and opacity of discrete-event systems.
 *
 * The definition of the syntax is grammar/des.pest; this follows it, production by production. Words are keywords only where
 * they mean something, so `weak` may name a state.
 */
/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** One or more of `rule`, with commas between them. */
const list = (rule) => seq(rule, repeat(seq(",", rule)));

/** The words that may name something else where they mean nothing. The seven words for sets may not. */
const WORDS = [
  ["import", "const", "component", "monitor", "system"],
  ["final", "compose", "observer", "check", "measure", "may", "must"],
  ["for", "in", "if", "else", "as", "by", "together", "hide", "anonymise", "disable", "from", "cost", "not"],
  ["strong", "weak", "natural"],
  ["infinite", "current", "exactly", "step", "state"],
  ["anonymity", "opacity", "estimate", "projection", "repair"],
  ["costs", "impossible", "of", "throughout", "except", "among", "about", "against", "given"],
].flat();

const ARITHMETIC = { 5: ["+", "-"], 6: ["*", "/", "%"] };
const CONDITIONS = { 0: ["||"], 2: ["&&"], 3: ["==", "!="], 4: ["<", "<=", ">", ">="] };

/** `operand operator operand`, for operators by their level. */
const operations = (operand, levels) =>
  choice(
    ...Object.entries(levels).map(([level, operators]) =>
      prec.left(Number(level), seq(operand, field("operator", choice(...operators)), operand)),
    ),
  );

module.exports = grammar({
  name: "des",

  word: ($) => $.identifier,
  extras: ($) => [/\s/, $.doc_comment, $.line_comment, $.block_comment],
  supertypes: ($) => [$._item, $._statement],
  conflicts: ($) => [
    // In `u = User for i in 1..N, mix = Mix` the comma may go on with the indices or with the parts.
    [$._binders],
    // `if -x == 1 { }` and the state of `if -a-> B;`.
    [$.if, $._word],
    // `for i in 1..2 if i > 1 || c = C`: the bars go on with the guard or with the parts.
    [$._guard, $.binary],
    // `infinite-step`, and `infinite-step` with a constant of that name: the word wins.
    [$.horizon, $._word],
  ],

  rules: {
    source_file: ($) => repeat($._item),

    _item: ($) => choice($.import, $.constant, $.component, $.system),

    import: ($) => seq("import", field("path", $.string), optional(seq("as", field("alias", $._name))), ";"),
    constant: ($) => seq("const", field("name", $._plain), "=", field("value", $._expression), ";"),
    component: ($) =>
      seq(
        choice("component", "monitor"),
        field("name", $._name),
        optional(field("parameters", $.parameters)),
        field("body", $.block),
      ),
    parameters: ($) => seq("(", optional(list($._plain)), ")"),
    system: ($) => seq("system", field("name", $._name), field("body", $.block)),

    block: ($) => seq("{", repeat($._statement), "}"),

    _statement: ($) =>
      choice(
        $.states,
        $.events,
        $.initial,
        $.observable,
        $.unobservable,
        $.anonymous,
        $.secret,
        $.final,
        $.transition,
        $.compose,
        $.observer,
        $.for,
        $.if,
        $.check,
        $.measure,
        $.lever,
      ),

    states: ($) => seq("states", list($.reference), optional($._over), ";"),
    events: ($) => seq("events", list($.reference), optional($._over), ";"),
    initial: ($) => seq("initial", $.state_set, optional($._over), ";"),
    observable: ($) => seq("observable", $.event_set, optional($._over), ";"),
    unobservable: ($) => seq("unobservable", $.event_set, optional($._over), ";"),
    anonymous: ($) =>
      seq(
        "anonymous",
        $.event_set,
        optional(seq("as", field("label", $.label))),
        optional(seq("by", field("agent", $.label))),
        optional($._over),
        ";",
      ),
    // What may be changed, `may hide log cost 3;`, and what is, `must hide log;`.
    lever: ($) =>
      seq(
        choice(seq("may", optional("together")), "must"),
        field("change", choice("hide", "anonymise", "disable")),
        $.event_set,
        optional(seq("as", field("label", $.label))),
        optional(seq("by", field("agent", $.label))),
        optional(seq("from", field("observer", $._name))),
        optional(seq("cost", field("cost", $._arithmetic))),
        optional($._over),
        ";",
      ),
    secret: ($) => seq("secret", $.state_set, optional($._over), ";"),
    final: ($) => seq("final", $.state_set, optional($._over), ";"),
    // A label or an agent: a name of its own kind, with indices.
    label: ($) => seq(field("name", $._name), optional($.indices)),
    // `for i in 1..N if i != 2` at the end of a declaration, or `if` alone.
    _over: ($) => choice(seq("for", $._binders, optional($._guard)), $._guard),

    transition: ($) => seq(field("source", $.state_set), repeat1(seq($.arrow, field("target", $.state_set))), ";"),
    arrow: ($) => seq("-", field("events", $.event_set), "->"),
    state_set: ($) => $._sets,
    event_set: ($) => $._sets,

    compose: ($) => seq("compose", $.part, repeat(seq(choice(",", "||"), $.part)), ";"),
    part: ($) =>
      seq(
        field("name", $.reference),
        "=",
        field("component", $._name),
        optional($.arguments),
        optional(seq("for", $._binders, optional($._guard))),
      ),
    arguments: ($) => seq("(", optional(list($._expression)), ")"),

    observer: ($) => seq("observer", field("name", $._name), choice(field("body", $.block), $.pooled)),
    pooled: ($) => seq("=", field("observer", $._name), repeat(seq("+", field("observer", $._name))), ";"),

    for: ($) => seq("for", $._binders, optional($._guard), field("body", $.block)),
    _binders: ($) => list($.binder),
    binder: ($) => seq(field("name", $._plain), "in", field("low", $._arithmetic), "..", field("high", $._arithmetic)),
    _guard: ($) => seq("if", field("guard", $._expression)),

    // To the right: `else` after a block is no state of that name.
    if: ($) =>
      prec.right(
        seq(
          "if",
          field("condition", $._expression),
          field("then", $.block),
          optional(seq("else", field("otherwise", choice($.block, $.if)))),
        ),
      ),

    check: ($) =>
      seq("check", optional(seq(field("name", $._name), ":")), optional("not"), choice($.property, $.estimate, $.projected, $.repaired), ";"),
    property: ($) => seq(optional($.projection), $.horizon, optional($._wanted), repeat($._qualifier)),
    estimate: ($) =>
      seq(
        "estimate",
        optional($.projection),
        field("at", $.observation),
        optional(seq("given", field("given", $.observation))),
        optional($.against),
        "=",
        field("expected", $.state_set),
        optional($.against),
      ),
    projected: ($) =>
      seq(
        "projection",
        optional($.projection),
        field("string", $.observation),
        optional($.against),
        "=",
        field("expected", $.observation),
        optional($.against),
      ),
    repaired: ($) => seq("repair", choice(seq("costs", $._arithmetic), "impossible")),
    measure: ($) =>
      seq("measure", optional(seq(field("name", $._name), ":")), optional($.projection), optional($._wanted), repeat($._qualifier), ";"),

    projection: (_) => choice("strong", "weak", "natural"),
    horizon: ($) =>
      choice(
        prec.dynamic(1, seq("infinite", "-", "step")),
        prec.dynamic(1, seq("current", "-", "state")),
        prec.dynamic(1, seq("initial", "-", choice("state", "final"))),
        seq(optional("exactly"), $._count, "-", "step"),
      ),
    _count: ($) => choice($.integer, $._plain, $.parenthesized),
    _qualifier: ($) => choice($.among, $.about, $.against, $.except, "throughout"),
    except: ($) => seq("except", $.state_set),
    _wanted: ($) => seq($.wanted, optional($.of)),
    wanted: (_) => choice("anonymity", "opacity"),
    of: ($) => seq("of", $.state_set, optional(seq("->", $.state_set))),
    among: ($) => seq("among", $._arithmetic),
    about: ($) => seq("about", $.state_set),
    against: ($) => seq("against", field("observer", $._name)),

    observation: ($) => seq("[", repeat(choice($.reference, $.numbered, $.sign)), "]"),
    numbered: ($) => seq($.label, "#", $.integer),
    sign: (_) => token(prec(1, /[?γ]([0-9]+|[₀-₉]+)?/)),

    _sets: ($) => list($._set),
    _set: ($) => choice($.reference, $.builtin, $.braces, $.parenthesized_set, $.set_operation),
    builtin: (_) => choice("states", "initial", "events", "observable", "unobservable", "anonymous", "secret"),
    braces: ($) => seq("{", optional($._sets), "}"),
    parenthesized_set: ($) => seq("(", $._sets, ")"),
    set_operation: ($) =>
      prec.left(seq(field("left", $._set), field("operator", choice("|", "&", "\\")), field("right", $._set))),

    reference: ($) =>
      seq(field("name", $._name), optional($.indices), optional(seq(".", field("member", alias($.reference, $.member))))),
    indices: ($) => seq("[", list($._index), "]"),
    _index: ($) => choice($._arithmetic, $.range),
    range: ($) => seq(field("low", $._arithmetic), "..", field("high", $._arithmetic)),

    _expression: ($) => choice($._operand, $.unary, $.binary),
    _operand: ($) => choice($.integer, $._plain, $.parenthesized),
    parenthesized: ($) => seq("(", $._expression, ")"),
    unary: ($) => prec(7, seq(choice("-", "!"), $._expression)),
    binary: ($) => operations($._expression, { ...ARITHMETIC, ...CONDITIONS }),

    // Without comparisons and `||`, so that the bars of a `compose` end the range before them.
    _arithmetic: ($) => choice($._operand, alias($.negative, $.unary), alias($.arithmetic, $.binary)),
    negative: ($) => prec(7, seq(choice("-", "!"), $._arithmetic)),
    arithmetic: ($) => operations($._arithmetic, ARITHMETIC),

    _name: ($) => choice($._plain, $.integer, $.string),
    _plain: ($) => choice($.identifier, alias($._word, $.identifier)),
    _word: (_) => choice(...WORDS),
    identifier: (_) => /[\p{XID_Start}_]\p{XID_Continue}*/,
    integer: (_) => /[0-9]+/,
    string: (_) => token(seq('"', /([^"\\\n]|\\.)*/, '"')),

    doc_comment: (_) => token(prec(2, /\/\/\/[^\n]*/)),
    line_comment: (_) => token(prec(1, /\/\/[^\n]*/)),
    block_comment: (_) => token(seq("/*", /[^*]*\*+([^/*][^*]*\*+)*/, "/")),
  },
});
