; Scopes: a block opens one; indices and parameters live in theirs.
[
  (source_file)
  (component)
  (system)
  (observer)
  (for)
] @local.scope

(constant name: (_) @local.definition)
(component name: (_) @local.definition)
(system name: (_) @local.definition)
(observer name: (_) @local.definition)
(import alias: (_) @local.definition)
(parameters (identifier) @local.definition)
(binder name: (_) @local.definition)
(states (reference name: (_) @local.definition))
(events (reference name: (_) @local.definition))
(part name: (reference name: (_) @local.definition))

(identifier) @local.reference
