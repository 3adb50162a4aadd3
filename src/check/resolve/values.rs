//! The values of expressions: 64-bit integers and Booleans.
//!
//! Arithmetic is checked: division by zero and overflow are errors at the operator. `/` and `%` truncate
//! towards zero. `&&` and `||` are evaluated lazily, so `i != 0 && 6 / i > 1` is allowed.

use crate::check::context::Context;
use crate::check::load::items::ItemId;
use crate::check::wording;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprBinary, Name, UnaryOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::check) enum Value {
    Integer(i64),
    Truth(bool),
}

impl Value {
    fn kind(self) -> &'static str {
        match self {
            Value::Integer(_) => "integer",
            Value::Truth(_) => "Boolean",
        }
    }
}

impl Context<'_> {
    /// The value of an integer expression; `None` after an error, which was reported.
    pub fn integer(&mut self, expr: &Expr) -> Option<i64> {
        match self.value(expr)? {
            Value::Integer(value) => Some(value),
            other => self.mismatch(expr.span(), "integer", other),
        }
    }

    /// The value of a Boolean expression.
    pub fn truth(&mut self, expr: &Expr) -> Option<bool> {
        match self.value(expr)? {
            Value::Truth(value) => Some(value),
            other => self.mismatch(expr.span(), "Boolean", other),
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Integer(span) => self.literal(*span, "").map(Value::Integer),
            Expr::Name(name) => self.named(name).map(Value::Integer),
            Expr::Paren(inner, _) => self.value(inner),
            Expr::Unary(UnaryOp::Not, inner, _) => self.truth(inner).map(|value| Value::Truth(!value)),
            Expr::Unary(UnaryOp::Negate, inner, span) => self.negated(inner, *span).map(Value::Integer),
            Expr::Binary(_) => self.chain(expr),
        }
    }

    /// Reports the name and type errors of an expression that may never be evaluated.
    pub fn rehearse_integer(&mut self, expr: &Expr) {
        if let Some(other @ Value::Truth(_)) = self.check_unexpanded(expr) {
            let _: Option<()> = self.mismatch(expr.span(), "integer", other);
        }
    }

    /// The same for a Boolean expression.
    pub fn rehearse_truth(&mut self, expr: &Expr) {
        if let Some(other @ Value::Integer(_)) = self.check_unexpanded(expr) {
            let _: Option<()> = self.mismatch(expr.span(), "Boolean", other);
        }
    }

    /// An arbitrary value of the type of an expression; `None` after an error.
    fn check_unexpanded(&mut self, mut expr: &Expr) -> Option<Value> {
        let mut spine = Vec::new();
        while let Expr::Binary(binary) = expr {
            spine.push(&**binary);
            expr = &binary.left;
        }
        let mut value = match expr {
            Expr::Paren(inner, _) => self.check_unexpanded(inner),
            Expr::Unary(UnaryOp::Not, inner, _) => {
                self.rehearse_truth(inner);
                Some(Value::Truth(true))
            }
            Expr::Unary(UnaryOp::Negate, inner, _) if !matches!(**inner, Expr::Integer(_)) => {
                self.rehearse_integer(inner);
                Some(Value::Integer(0))
            }
            simple => self.value(simple),
        };
        while let Some(binary) = spine.pop() {
            value = self.rehearse_binary(value, binary);
        }
        value
    }

    fn rehearse_binary(&mut self, left: Option<Value>, binary: &ExprBinary) -> Option<Value> {
        let right = self.check_unexpanded(&binary.right);
        let wanted = match binary.op {
            BinaryOp::And | BinaryOp::Or => Some(Value::Truth(true)),
            BinaryOp::Equal | BinaryOp::NotEqual => left,
            _ => Some(Value::Integer(0)),
        };
        for (side, found) in [(&binary.left, left), (&binary.right, right)] {
            if let (Some(wanted), Some(found)) = (wanted, found)
                && wanted.kind() != found.kind()
            {
                return self.mismatch(side.span(), wanted.kind(), found);
            }
        }
        Some(match binary.op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => {
                Value::Integer(0)
            }
            _ => Value::Truth(true),
        })
    }

    /// The value of a number, an index or a constant, without reporting errors.
    pub fn simple(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Integer(span) => self.file.slice(*span).parse().ok(),
            Expr::Name(name) => {
                let text = self.text(name);
                let bound = self.bindings.iter().rev().find(|(bound, _)| *bound == text);
                bound.map(|(_, value)| *value).or_else(|| match self.items.find(&text) {
                    Some((ItemId::Const(at), _)) => self.items.consts[at].value.get(),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    fn literal(&mut self, span: Span, sign: &str) -> Option<i64> {
        let digits = self.file.slice(span);
        let value = if sign.is_empty() { digits.parse() } else { format!("{sign}{digits}").parse() }.ok();
        if value.is_none() {
            let text = format!("{sign}{digits}");
            self.fault(overflow(span, format!("`{text}` does not fit in a 64-bit integer")));
        }
        value
    }

    fn negated(&mut self, inner: &Expr, span: Span) -> Option<i64> {
        if let Expr::Integer(digits) = inner {
            return self.literal(*digits, "-");
        }
        let value = self.integer(inner)?;
        let negated = value.checked_neg();
        if negated.is_none() {
            self.fault(overflow(span, format!("-({value}) does not fit in a 64-bit integer")));
        }
        negated
    }

    /// `a + b + c` is left-associative: its spine is traversed in a loop, so that a long sum does not overflow the stack.
    fn chain(&mut self, mut expr: &Expr) -> Option<Value> {
        if let Expr::Binary(binary) = expr
            && !matches!(binary.left, Expr::Binary(_))
        {
            let left = self.value(&binary.left)?;
            return self.binary(left, binary);
        }
        let mut spine = Vec::new();
        while let Expr::Binary(binary) = expr {
            spine.push(&**binary);
            expr = &binary.left;
        }
        let mut value = self.value(expr)?;
        while let Some(binary) = spine.pop() {
            value = self.binary(value, binary)?;
        }
        Some(value)
    }

    fn binary(&mut self, left: Value, binary: &ExprBinary) -> Option<Value> {
        match binary.op {
            BinaryOp::And | BinaryOp::Or => {
                let Value::Truth(known) = left else { return self.mismatch(binary.left.span(), "Boolean", left) };
                let decided = known == (binary.op == BinaryOp::Or);
                if decided { Some(left) } else { self.truth(&binary.right).map(Value::Truth) }
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let right = self.value(&binary.right)?;
                if left.kind() != right.kind() {
                    return self.mismatch(binary.right.span(), left.kind(), right);
                }
                Some(Value::Truth((left == right) == (binary.op == BinaryOp::Equal)))
            }
            _ => {
                let Value::Integer(left) = left else { return self.mismatch(binary.left.span(), "integer", left) };
                let right = self.integer(&binary.right)?;
                self.arithmetic(binary, left, right)
            }
        }
    }

    fn arithmetic(&mut self, binary: &ExprBinary, left: i64, right: i64) -> Option<Value> {
        let result = match binary.op {
            BinaryOp::Less => return Some(Value::Truth(left < right)),
            BinaryOp::LessEqual => return Some(Value::Truth(left <= right)),
            BinaryOp::Greater => return Some(Value::Truth(left > right)),
            BinaryOp::GreaterEqual => return Some(Value::Truth(left >= right)),
            BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
                self.fault(division_by_zero(binary, left));
                return None;
            }
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Subtract => left.checked_sub(right),
            BinaryOp::Multiply => left.checked_mul(right),
            BinaryOp::Divide => left.checked_div(right),
            _ => left.checked_rem(right),
        };
        if result.is_none() {
            let op = self.file.slice(binary.op_span);
            let message = format!("{left} {op} {right} does not fit in a 64-bit integer");
            self.fault(overflow(binary.left.span().to(binary.right.span()), message));
        }
        result.map(Value::Integer)
    }

    /// The value of a name: the innermost index or parameter, otherwise a constant.
    fn named(&mut self, name: &Name) -> Option<i64> {
        let text = self.text(name);
        if let Some((_, value)) = self.bindings.iter().rev().find(|(bound, _)| *bound == text) {
            return Some(*value);
        }
        match self.items.find(&text) {
            Some((ItemId::Const(at), _)) => {
                let value = self.items.consts[at].value.get();
                self.is_guess |= value.is_none();
                value
            }
            Some((other, declared)) => {
                self.fault(not_a_number(&text, other.kind(), name.span, declared));
                None
            }
            None => {
                self.unknown_constant(&text, name.span);
                None
            }
        }
    }

    pub fn is_number(&self, name: &Name) -> bool {
        let text = self.text(name);
        let bound = self.bindings.iter().any(|(bound, _)| *bound == text);
        bound || self.items.find(&text).is_some() || self.items.is_doubtful(&text)
    }

    fn unknown_constant(&mut self, name: &str, at: Span) {
        if self.items.is_doubtful(name) || self.is_silenced("constant", name) {
            self.is_guess = true;
            return;
        }
        self.suppress("constant", name);
        let bound = self.bindings.iter().map(|(name, _)| name.as_ref());
        let consts = self.items.consts.iter().map(|constant| constant.name.as_str());
        let nearest = self.near.nearest(name, bound.chain(consts));
        self.meant.extend(nearest.clone());
        self.fault(unknown_number(name, at, nearest.as_deref()));
    }

    fn mismatch<T>(&mut self, at: Span, wanted: &str, found: Value) -> Option<T> {
        self.fault(wrong_type(at, wanted, found.kind()));
        None
    }
}

fn overflow(at: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::E0307, at, message)
        .label(format!("integers range from {} to {}", i64::MIN, i64::MAX))
        .help("use smaller numbers")
}

fn division_by_zero(binary: &ExprBinary, left: i64) -> Diagnostic {
    let op = if binary.op == BinaryOp::Divide { "/" } else { "%" };
    Diagnostic::new(Code::E0306, binary.right.span(), format!("division by zero: {left} {op} 0"))
        .label("this is 0")
        .help("guard it: `if ... != 0 { ... }`")
}

fn wrong_type(at: Span, wanted: &str, found: &str) -> Diagnostic {
    let wanted = wording::with_article(wanted);
    let fault = Diagnostic::new(Code::E0308, at, format!("expected {wanted}, found {}", wording::with_article(found)));
    let fault = fault.label(format!("this is {}", wording::with_article(found)));
    if found == "integer" {
        fault.help("write a comparison: `... != 0`")
    } else {
        fault.help("conditions are written after `if`; an index, a range or a constant is an integer")
    }
}

fn not_a_number(name: &str, kind: &str, at: Span, declared: Span) -> Diagnostic {
    Diagnostic::new(Code::E0202, at, format!("`{name}` is a {kind}, not a number"))
        .label("expected a constant or an index")
        .also(declared, format!("the {kind} is declared here"))
        .help("declare a constant: `const N = 3;`")
}

fn unknown_number(name: &str, at: Span, nearest: Option<&str>) -> Diagnostic {
    let fault = Diagnostic::new(Code::E0201, at, format!("unknown constant or index `{name}`")).label("not declared");
    match nearest {
        Some(near) => fault.help(format!("did you mean `{near}`?")).fix(format!("replace with `{near}`"), at, near),
        None if matches!(name, "true" | "false") => {
            fault.help("there are no Boolean constants: write a comparison, `N > 0`")
        }
        // An index is written in small letters, as a rule.
        None if name.starts_with(char::is_lowercase) => fault.help(format!(
            "give it a range, `for {name} in 1..3`, or declare it at the top of the file: `const {name} = 3;`"
        )),
        None => fault.help(format!("declare it at the top of the file: `const {name} = 3;`")),
    }
}
