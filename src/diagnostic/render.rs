//! What a person or a program reads of a diagnostic: one small reader per form.
