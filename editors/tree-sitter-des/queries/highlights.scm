; Colours. Names follow the standard captures, so that every theme has them.
; Where two patterns meet, editors differ on which one wins: no two here colour the same node.

; Words that bring something into being.
["import" "as" "by" "const" "component" "monitor" "system" "observer"] @keyword

; Words that declare the sets of a system.
(states "states" @keyword)
(events "events" @keyword)
(initial "initial" @keyword)
(observable "observable" @keyword)
(unobservable "unobservable" @keyword)
(anonymous "anonymous" @keyword)
(secret "secret" @keyword)
["final" "compose"] @keyword

; The same words as sets.
(builtin) @variable.builtin

["for" "in"] @keyword.repeat
["if" "else"] @keyword.conditional

; Questions.
["may" "must" "together" "hide" "anonymise" "disable" "from" "cost" "repair" "costs" "impossible"] @keyword
["check" "measure" "not" "estimate" "projection" "given" "of" "throughout" "except" "among" "about" "against" "exactly"] @keyword
(projection) @attribute
(wanted) @attribute
(horizon ["infinite" "current" "initial" "-" "step" "state" "final"] @constant.builtin)

; Names.
(system name: (_) @type)
(component name: (_) @type)
(observer name: (_) @type)
(part component: (_) @type)
(import alias: (_) @type)
(against observer: (_) @type)
(constant name: (_) @constant)
(parameters (identifier) @variable.parameter)
(binder name: (_) @variable.parameter)
(label name: (_) @label)
(pooled observer: (_) @type)
(check name: (_) @label)
(measure name: (_) @label)

; What happens stands inside the arrow, in sets of events and in observations; sets nest three deep here.
(events (reference name: (_) @function))
(event_set (reference name: (_) @function))
(event_set (_ (reference name: (_) @function)))
(event_set (_ (_ (reference name: (_) @function))))
(observation (reference name: (_) @function))
(numbered (integer) @number)
(sign) @string.special

; Where it happens: states, and instances of components.
(states (reference name: (_) @variable))
(state_set (reference name: (_) @variable))
(state_set (_ (reference name: (_) @variable)))
(state_set (_ (_ (reference name: (_) @variable))))
(part name: (reference name: (_) @variable))
(member name: (_) @property)

(import path: (string) @string)
(range (integer) @number)
(indices (integer) @number)
(binary (integer) @number)
(unary (integer) @number)
(parenthesized (integer) @number)
(binder (integer) @number)
(constant value: (integer) @number)
(arguments (integer) @number)
(among (integer) @number)
(horizon (integer) @number)

(arrow ["-" "->"] @operator)
(of "->" @operator)
(binary operator: _ @operator)
(unary ["-" "!"] @operator)
(set_operation operator: _ @operator)
["=" ".." "#"] @operator
(pooled "+" @operator)

["," ";" "." ":"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

(doc_comment) @comment.documentation
(line_comment) @comment
(block_comment) @comment
