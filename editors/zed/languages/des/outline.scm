(system "system" @context name: (_) @name) @item
(component ["component" "monitor"] @context name: (_) @name) @item
(observer "observer" @context name: (_) @name) @item
(constant "const" @context name: (_) @name) @item
(check "check" @context name: (_) @name) @item
