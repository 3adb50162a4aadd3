; Colours for des-ts-mode: the captures are Emacs's faces. Earlier patterns win.

(doc_comment) @font-lock-doc-face
[(line_comment) (block_comment)] @font-lock-comment-face
(string) @font-lock-string-face

["import" "as" "by" "const" "component" "monitor" "system" "observer" "compose" "for" "in" "if" "else"] @font-lock-keyword-face
(states "states" @font-lock-keyword-face)
(events "events" @font-lock-keyword-face)
(initial "initial" @font-lock-keyword-face)
(observable "observable" @font-lock-keyword-face)
(unobservable "unobservable" @font-lock-keyword-face)
(anonymous "anonymous" @font-lock-keyword-face)
(secret "secret" @font-lock-keyword-face)
["may" "must" "together" "hide" "anonymise" "disable" "from" "cost" "repair" "costs" "impossible"] @font-lock-keyword-face
["check" "measure" "not" "estimate" "given" "of" "throughout" "except" "among" "about" "against" "exactly"] @font-lock-keyword-face
(projected "projection" @font-lock-keyword-face)
(builtin) @font-lock-keyword-face

[(projection) (wanted)] @font-lock-builtin-face
(horizon ["infinite" "current" "initial" "-" "step" "state" "final"] @font-lock-constant-face)
(integer) @font-lock-constant-face
(sign) @font-lock-preprocessor-face

(system name: (_) @font-lock-type-face)
(component name: (_) @font-lock-type-face)
(observer name: (_) @font-lock-type-face)
(part component: (_) @font-lock-type-face)
(import alias: (_) @font-lock-type-face)
(against observer: (_) @font-lock-type-face)
(pooled observer: (_) @font-lock-type-face)
(label name: (_) @font-lock-variable-name-face)
(constant name: (_) @font-lock-constant-face)
(check name: (_) @font-lock-variable-name-face)
(measure name: (_) @font-lock-variable-name-face)

(arrow ["-" "->"] @font-lock-keyword-face)
(arrow events: (event_set (reference name: (_) @font-lock-function-name-face)))
(arrow events: (event_set (_ (reference name: (_) @font-lock-function-name-face))))
