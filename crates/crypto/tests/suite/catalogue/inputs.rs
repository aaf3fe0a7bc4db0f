//! Public inputs as named bytes, with their JSON form and every one-place change of them.

use outis_crypto::card::{Code, Codes};
use outis_crypto::codec::{Decode, Encode, Reader};
use outis_crypto::encrypted_number::{Cipher, Form};
use outis_crypto::group::{Element, Scalar, zero_point};
use outis_crypto::sigma::{Base, Relation};
use serde_json::{Value, json};

use super::Refusal;

/// One public input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A group element.
    Element([u8; 32]),
    /// A list of elements.
    Elements(Vec<[u8; 32]>),
    /// A code.
    Code([u8; 64]),
    /// A list of codes.
    Codes(Vec<[u8; 64]>),
    /// Numbers of cards.
    Cards(Vec<u16>),
    /// The name of a game.
    Text(String),
    /// Linear relations.
    Relations(Vec<LinearRelation>),
    /// Encrypted numbers, whose halves may be zero.
    Ciphers(Vec<[u8; 64]>),
    /// Nested lists of integers: forms, questions and the like.
    Tree(Tree),
}

/// Nested lists of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// An integer.
    Number(i64),
    /// A list of fixed length.
    Tuple(Vec<Tree>),
    /// A list of any length.
    List(Vec<Tree>),
}

impl Tree {
    /// An integer.
    pub fn number(&self) -> i64 {
        let Tree::Number(number) = self else { panic!("no number") };
        *number
    }

    /// The branches of a list.
    pub fn branches(&self) -> &[Tree] {
        let (Tree::Tuple(branches) | Tree::List(branches)) = self else { panic!("no list") };
        branches
    }

    /// A linear form: `[constant, [[factor, position], …]]`.
    pub fn of_form(form: &Form) -> Self {
        let number = |n: i64| Tree::Number(n);
        let term = |(f, at): &(i32, u32)| Tree::Tuple(vec![number(i64::from(*f)), number(i64::from(*at))]);
        Tree::Tuple(vec![number(i64::from(form.constant)), Tree::List(form.terms.iter().map(term).collect())])
    }

    /// A list of linear forms.
    pub fn of_forms(forms: &[Form]) -> Self {
        Tree::List(forms.iter().map(Tree::of_form).collect())
    }

    /// The linear form that is written here.
    pub fn form(&self) -> Form {
        let [constant, terms] = self.branches() else { panic!("a form has two parts") };
        let term = |t: &Tree| (t.branches()[0].number() as i32, t.branches()[1].number() as u32);
        Form { constant: constant.number() as i32, terms: terms.branches().iter().map(term).collect() }
    }

    /// The linear forms that are written here.
    pub fn forms(&self) -> Vec<Form> {
        self.branches().iter().map(Tree::form).collect()
    }

    fn variants(&self) -> Vec<(String, Tree)> {
        match self {
            Tree::Number(number) => vec![(String::new(), Tree::Number(number + 1))],
            Tree::Tuple(branches) => {
                let inside = branches.iter().enumerate().flat_map(|(i, branch)| {
                    branch.variants().into_iter().map(move |(what, other)| {
                        let mut changed = branches.clone();
                        changed[i] = other;
                        (format!(".{i}{what}"), Tree::Tuple(changed))
                    })
                });
                inside.collect()
            }
            Tree::List(branches) if branches.is_empty() => Vec::new(),
            Tree::List(branches) => {
                let variants = list_variants(branches, Tree::variants).into_iter();
                variants.filter(|(_, other)| other != branches).map(|(what, other)| (what, Tree::List(other))).collect()
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Tree::Number(number) => json!(number),
            Tree::Tuple(branches) | Tree::List(branches) => branches.iter().map(Tree::to_json).collect(),
        }
    }

    fn read_json(value: &Value) -> Self {
        match value.as_array() {
            None => Tree::Number(value.as_i64().expect("a number")),
            Some(branches) => Tree::List(branches.iter().map(Tree::read_json).collect()),
        }
    }
}

/// A relation as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearRelation {
    /// Number of secrets.
    pub secrets: usize,
    /// Target and terms.
    pub equations: Vec<(Point, Vec<(usize, Point)>)>,
}

/// A base or target of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// An element.
    One([u8; 32]),
    /// A sum of scalar multiples.
    Sum(Vec<([u8; 32], [u8; 32])>),
}

/// All public inputs of a claim, in the order of the statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inputs(pub Vec<(String, Input)>);

impl Inputs {
    /// Adds an input.
    #[must_use]
    pub fn with(mut self, name: &str, input: impl Into<Input>) -> Self {
        self.0.push((name.into(), input.into()));
        self
    }

    /// The same with one input replaced.
    #[must_use]
    pub fn but(&self, name: &str, input: impl Into<Input>) -> Self {
        let mut changed = self.clone();
        let slot = changed.0.iter_mut().find(|(n, _)| n == name).expect("an input of this name");
        slot.1 = input.into();
        changed
    }

    fn get(&self, name: &str) -> &Input {
        &self.0.iter().find(|(n, _)| n == name).expect("an input of this name").1
    }

    /// An element by name.
    pub fn element(&self, name: &str) -> Result<Element, Refusal> {
        let Input::Element(bytes) = self.get(name) else { panic!("{name} is no element") };
        Ok(Reader::new(bytes).element("input")?)
    }

    /// A list of elements by name.
    pub fn elements(&self, name: &str) -> Result<Vec<Element>, Refusal> {
        let Input::Elements(list) = self.get(name) else { panic!("{name} is no list of elements") };
        list.iter().map(|bytes| Ok(Reader::new(bytes).element("input")?)).collect()
    }

    /// A code by name.
    pub fn code(&self, name: &str) -> Result<Code, Refusal> {
        let Input::Code(bytes) = self.get(name) else { panic!("{name} is no code") };
        Ok(Code::from_bytes(bytes, &())?)
    }

    /// A list of codes by name.
    pub fn codes(&self, name: &str) -> Result<Vec<Code>, Refusal> {
        let Input::Codes(list) = self.get(name) else { panic!("{name} is no list of codes") };
        Ok(Codes::from_bytes(list.as_flattened(), &list.len())?.0)
    }

    /// Card numbers by name.
    pub fn cards(&self, name: &str) -> Vec<usize> {
        let Input::Cards(list) = self.get(name) else { panic!("{name} is no list of cards") };
        list.iter().map(|card| usize::from(*card)).collect()
    }

    /// A text by name.
    pub fn text(&self, name: &str) -> &str {
        let Input::Text(text) = self.get(name) else { panic!("{name} is no text") };
        text
    }

    /// Relations by name, decoded.
    pub fn relations(&self, name: &str) -> Result<Vec<DecodedRelation>, Refusal> {
        let Input::Relations(list) = self.get(name) else { panic!("{name} is no list of relations") };
        list.iter().map(DecodedRelation::new).collect()
    }

    /// Encrypted numbers by name.
    pub fn ciphers(&self, name: &str) -> Result<Vec<Cipher>, Refusal> {
        let Input::Ciphers(list) = self.get(name) else { panic!("{name} is no list of encrypted numbers") };
        let half = |bytes: &[u8]| match bytes.iter().all(|byte| *byte == 0) {
            true => Ok(zero_point()),
            false => Reader::new(bytes).element("input").map(|element| *element.point()),
        };
        list.iter().map(|bytes| Ok(Cipher::new(half(&bytes[..32])?, half(&bytes[32..])?))).collect()
    }

    /// Nested lists by name.
    pub fn tree(&self, name: &str) -> &Tree {
        let Input::Tree(tree) = self.get(name) else { panic!("{name} is no list of numbers") };
        tree
    }

    /// Every change of one place to another valid value of its type, and of the order or length of a list.
    pub fn variants(&self) -> Vec<(String, Inputs)> {
        let changed = |(name, input): &(String, Input)| {
            let variants = input.variants().into_iter();
            variants.map(|(what, other)| (format!("{name}{what}"), self.but(name, other))).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(changed).collect()
    }

    /// For JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.iter().map(|(name, input)| (name.clone(), input.to_json())).collect())
    }

    /// Reads JSON by the types of `self`.
    pub fn read_json(&self, value: &Value) -> Inputs {
        let object = value.as_object().expect("inputs are an object");
        assert_eq!(object.len(), self.0.len(), "exactly the inputs of the label");
        Inputs(self.0.iter().map(|(name, kind)| (name.clone(), kind.read_json(&object[name]))).collect())
    }
}

/// A valid element that occurs nowhere else.
fn other_element() -> [u8; 32] {
    *Element::hash("catalogue", &[b"another element"]).as_bytes()
}

fn list_variants<T: Clone>(list: &[T], alter: impl Fn(&T) -> Vec<(String, T)>) -> Vec<(String, Vec<T>)> {
    let mut variants = Vec::new();
    for (i, item) in list.iter().enumerate() {
        for (what, other) in alter(item) {
            let mut changed = list.to_vec();
            changed[i] = other;
            variants.push((format!("[{i}]{what}"), changed));
        }
    }
    for i in 1..list.len() {
        let mut swapped = list.to_vec();
        swapped.swap(i - 1, i);
        variants.push((format!(" with {} and {i} swapped", i - 1), swapped));
        let mut doubled = list.to_vec();
        doubled[i] = doubled[i - 1].clone();
        variants.push((format!("[{i}] copied from {}", i - 1), doubled));
    }
    variants.push((" without its last entry".into(), list[..list.len() - 1].to_vec()));
    variants.push((" with its last entry twice".into(), [list, &list[list.len() - 1..]].concat()));
    variants.push((" emptied".into(), Vec::new()));
    variants
}

fn code_variants(code: &[u8; 64]) -> Vec<(String, [u8; 64])> {
    let (mut first, mut second, mut swapped) = (*code, *code, *code);
    first[..32].copy_from_slice(&other_element());
    second[32..].copy_from_slice(&other_element());
    swapped.rotate_left(32);
    vec![(".c1".into(), first), (".c2".into(), second), (" with halves swapped".into(), swapped)]
}

impl Input {
    fn variants(&self) -> Vec<(String, Input)> {
        fn wrap<T>(variants: Vec<(String, T)>, to: fn(T) -> Input) -> Vec<(String, Input)> {
            variants.into_iter().map(|(what, value)| (what, to(value))).collect()
        }
        match self {
            Input::Element(_) => vec![(String::new(), Input::Element(other_element()))],
            Input::Code(code) => wrap(code_variants(code), Input::Code),
            Input::Elements(list) => {
                wrap(list_variants(list, |_| vec![(String::new(), other_element())]), Input::Elements)
            }
            Input::Codes(list) => wrap(list_variants(list, code_variants), Input::Codes),
            Input::Cards(list) => wrap(list_variants(list, |card| vec![(String::new(), card + 7)]), Input::Cards),
            Input::Text(text) => vec![(String::new(), Input::Text(format!("{text} too")))],
            Input::Relations(list) => wrap(list_variants(list, LinearRelation::variants), Input::Relations),
            Input::Ciphers(list) => {
                let variants = list_variants(list, code_variants).into_iter().filter(|(_, other)| other != list);
                wrap(variants.collect(), Input::Ciphers)
            }
            Input::Tree(tree) => wrap(tree.variants(), Input::Tree),
        }
    }

    fn to_json(&self) -> Value {
        let code = |c: &[u8; 64]| json!({ "c1": hex(&c[..32]), "c2": hex(&c[32..]) });
        match self {
            Input::Element(bytes) => json!(hex(bytes)),
            Input::Elements(list) => list.iter().map(|e| hex(e)).collect(),
            Input::Code(bytes) => code(bytes),
            Input::Codes(list) => list.iter().map(code).collect(),
            Input::Cards(list) => json!(list),
            Input::Text(text) => json!(text),
            Input::Relations(list) => list.iter().map(LinearRelation::to_json).collect(),
            Input::Ciphers(list) => list.iter().map(code).collect(),
            Input::Tree(tree) => tree.to_json(),
        }
    }

    fn read_json(&self, value: &Value) -> Input {
        let array = || value.as_array().expect("a list").iter();
        let code = |v: &Value| {
            let mut bytes = [0; 64];
            bytes[..32].copy_from_slice(&unhex(&v["c1"]));
            bytes[32..].copy_from_slice(&unhex(&v["c2"]));
            bytes
        };
        match self {
            Input::Element(_) => Input::Element(unhex_array(value)),
            Input::Elements(_) => Input::Elements(array().map(unhex_array).collect()),
            Input::Code(_) => Input::Code(code(value)),
            Input::Codes(_) => Input::Codes(array().map(code).collect()),
            Input::Cards(_) => Input::Cards(array().map(|v| v.as_u64().expect("a number") as u16).collect()),
            Input::Text(_) => Input::Text(value.as_str().expect("a text").into()),
            Input::Relations(_) => Input::Relations(array().map(LinearRelation::read_json).collect()),
            Input::Ciphers(_) => Input::Ciphers(array().map(code).collect()),
            Input::Tree(_) => Input::Tree(Tree::read_json(value)),
        }
    }
}

impl LinearRelation {
    fn variants(&self) -> Vec<(String, LinearRelation)> {
        let mut variants = Vec::new();
        let mut push = |what: String, change: &dyn Fn(&mut LinearRelation)| {
            let mut relation = self.clone();
            change(&mut relation);
            variants.push((what, relation));
        };
        push(" with one more secret".into(), &|r| r.secrets += 1);
        push(" without its last equation".into(), &|r| drop(r.equations.pop()));
        for (i, (target, terms)) in self.equations.iter().enumerate() {
            for (what, other) in target.variants() {
                push(format!(".equations[{i}].target{what}"), &|r| r.equations[i].0 = other.clone());
            }
            for (j, (_, base)) in terms.iter().enumerate() {
                for (what, other) in base.variants() {
                    push(format!(".equations[{i}].terms[{j}]{what}"), &|r| r.equations[i].1[j].1 = other.clone());
                }
            }
        }
        variants
    }

    fn to_json(&self) -> Value {
        let term = |(secret, base): &(usize, Point)| json!({ "secret": secret, "base": base.to_json() });
        let equation = |(target, terms): &(Point, Vec<(usize, Point)>)| {
            json!({
                "target": target.to_json(),
                "terms": terms.iter().map(term).collect::<Value>(),
            })
        };
        json!({ "secrets": self.secrets, "equations": self.equations.iter().map(equation).collect::<Value>() })
    }

    fn read_json(value: &Value) -> Self {
        let number = |v: &Value| v.as_u64().expect("a number") as usize;
        let term = |v: &Value| (number(&v["secret"]), Point::read_json(&v["base"]));
        let equation = |v: &Value| {
            let terms = v["terms"].as_array().expect("terms").iter().map(term).collect();
            (Point::read_json(&v["target"]), terms)
        };
        Self {
            secrets: number(&value["secrets"]),
            equations: value["equations"].as_array().expect("equations").iter().map(equation).collect(),
        }
    }
}

impl Point {
    fn variants(&self) -> Vec<(String, Point)> {
        match self {
            Point::One(element) => vec![
                (" replaced".into(), Point::One(other_element())),
                (" as a sum".into(), Point::Sum(vec![(Scalar::ONE.to_bytes(), *element)])),
            ],
            Point::Sum(terms) => {
                let alter = |(scalar, element): &([u8; 32], [u8; 32])| {
                    vec![
                        (".element".into(), (*scalar, other_element())),
                        (".scalar".into(), (Scalar::from(77u64).to_bytes(), *element)),
                    ]
                };
                list_variants(terms, alter).into_iter().map(|(what, terms)| (what, Point::Sum(terms))).collect()
            }
        }
    }

    fn to_json(&self) -> Value {
        let term = |(s, e): &([u8; 32], [u8; 32])| json!({ "scalar": hex(s), "element": hex(e) });
        match self {
            Point::One(element) => json!(hex(element)),
            Point::Sum(terms) => terms.iter().map(term).collect(),
        }
    }

    fn read_json(value: &Value) -> Self {
        let term = |v: &Value| (unhex_array(&v["scalar"]), unhex_array(&v["element"]));
        match value.as_array() {
            None => Point::One(unhex_array(value)),
            Some(terms) => Point::Sum(terms.iter().map(term).collect()),
        }
    }
}

/// A relation whose elements are decoded, and which a [`Relation`] can borrow from.
pub struct DecodedRelation {
    secrets: usize,
    equations: Vec<(DecodedPoint, Vec<(usize, DecodedPoint)>)>,
}

enum DecodedPoint {
    One(Element),
    Sum(Vec<(Scalar, Element)>),
}

impl DecodedRelation {
    fn new(data: &LinearRelation) -> Result<Self, Refusal> {
        let point = |p: &Point| -> Result<DecodedPoint, Refusal> {
            let element = |bytes: &[u8; 32]| Reader::new(bytes).element("input");
            Ok(match p {
                Point::One(bytes) => DecodedPoint::One(element(bytes)?),
                Point::Sum(terms) => {
                    let term = |(s, e): &([u8; 32], [u8; 32])| Ok((Reader::new(s).scalar("input")?, element(e)?));
                    DecodedPoint::Sum(terms.iter().map(term).collect::<Result<_, Refusal>>()?)
                }
            })
        };
        let equation = |(target, terms): &(Point, Vec<(usize, Point)>)| {
            let term = |(secret, base): &(usize, Point)| Ok((*secret, point(base)?));
            Ok((point(target)?, terms.iter().map(term).collect::<Result<_, Refusal>>()?))
        };
        Ok(Self {
            secrets: data.secrets,
            equations: data.equations.iter().map(equation).collect::<Result<_, Refusal>>()?,
        })
    }

    /// The relation itself.
    pub fn relation(&self) -> Relation<'_> {
        let mut relation = Relation::new();
        let secrets = relation.secrets(self.secrets);
        for (target, terms) in &self.equations {
            relation.demand(target.base(), terms.iter().map(|(i, base)| (secrets[*i], base.base())));
        }
        relation
    }
}

impl DecodedPoint {
    fn base(&self) -> Base<'_> {
        match self {
            DecodedPoint::One(element) => Base::One(element),
            DecodedPoint::Sum(terms) => Base::Sum(terms.iter().map(|(s, e)| (*s, e)).collect()),
        }
    }
}

impl From<&Element> for Input {
    fn from(element: &Element) -> Self {
        Input::Element(*element.as_bytes())
    }
}

impl From<&[Element]> for Input {
    fn from(elements: &[Element]) -> Self {
        Input::Elements(elements.iter().map(|e| *e.as_bytes()).collect())
    }
}

impl From<&Code> for Input {
    fn from(code: &Code) -> Self {
        Input::Code(code_bytes(code))
    }
}

impl From<&[Code]> for Input {
    fn from(codes: &[Code]) -> Self {
        Input::Codes(codes.iter().map(code_bytes).collect())
    }
}

impl From<&[usize]> for Input {
    fn from(cards: &[usize]) -> Self {
        Input::Cards(cards.iter().map(|card| *card as u16).collect())
    }
}

impl From<&str> for Input {
    fn from(text: &str) -> Self {
        Input::Text(text.into())
    }
}

impl From<&[Cipher]> for Input {
    fn from(ciphers: &[Cipher]) -> Self {
        Input::Ciphers(ciphers.iter().map(|cipher| cipher.to_bytes().try_into().expect("64 bytes")).collect())
    }
}

impl From<Tree> for Input {
    fn from(tree: Tree) -> Self {
        Input::Tree(tree)
    }
}

impl From<Vec<LinearRelation>> for Input {
    fn from(relations: Vec<LinearRelation>) -> Self {
        Input::Relations(relations)
    }
}

fn code_bytes(code: &Code) -> [u8; 64] {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(code.c1.as_bytes());
    bytes[32..].copy_from_slice(code.c2.as_bytes());
    bytes
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Bytes of a hexadecimal string.
pub fn unhex(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("a hexadecimal string");
    let digit = |i| u8::from_str_radix(&text[i..i + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

/// An array from a hexadecimal string.
pub fn unhex_array<const N: usize>(value: &Value) -> [u8; N] {
    unhex(value).try_into().expect("the right number of bytes")
}
