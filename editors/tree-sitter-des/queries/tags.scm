(system name: (_) @name) @definition.module
(component name: (_) @name) @definition.class
(observer name: (_) @name) @definition.interface
(constant name: (_) @name) @definition.constant
(events (reference name: (_) @name)) @definition.function
(check name: (_) @name) @definition.method
(part component: (_) @name) @reference.class
(against observer: (_) @name) @reference.implementation
