//! `WordReader` and `StemIndex`: texts by the stems of their words.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use groundwire_engine::check_chars;
use groundwire_engine::folding::Folding;
use groundwire_engine::stems::{self, Found, Least, Near, Postings, Roles, Told, Weighted, Written, words};
use groundwire_engine::text::Units;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple, PyType};

use crate::triples::int;
use crate::{arguments, characters, signals};

/// So many written forms are kept; with more of them it begins anew.
const MAX_FORMS: usize = 1 << 16;

/// No character.
const NO_CODE: u32 = u32::MAX;

/// A word as it is written, and what is known of it.
struct Form {
    text: Py<PyString>,
    stem: Py<PyString>,
    codes: Box<[u32]>,
    roles: Roles,
}

type Forms = HashMap<Box<[u32]>, Arc<Form>, Folding>;

/// Reads texts as words with stems. Safe to share between threads.
///
/// Args:
///     word: The type of words: a tuple of text, stem, start, end and clause.
///     describe: Called with a word as it is written, once for each, and whether it is a pair of
///         characters; returns its text, its stem and what it does, as a sum of `DENIES` what follows,
///         `SOFTENS` (a denial before it is none), `BEGINS_CLAUSE`, `IS_FILED` (by its stem); from
///         `OTHERS` on they mean what the caller likes.
#[pyclass(frozen, module = "groundwire._engine", name = "WordReader")]
pub(crate) struct WordReader {
    describe: Py<PyAny>,
    word: Py<PyType>,
    new: Py<PyAny>,
    forms: Mutex<Forms>,
}

/// A word of a text, read.
struct Read {
    found: Found,
    clause: u32,
    form: Arc<Form>,
}

impl Read {
    fn word(&self) -> stems::Word<'_> {
        let Form { codes, roles, .. } = &*self.form;
        stems::Word { stem: codes, span: self.found.span, clause: self.clause, roles: *roles }
    }
}

/// Number and share of a sentence that is near; the span from the first of the words in common to the
/// last, whether a denial stands in a clause that has one, and whether one is denied; how many of the
/// stems it has; what its words do.
type Nearest = (u32, f64, Option<(usize, usize, bool, bool)>, u32, u8);

/// Stems that tell a word of a claim, its weight, and whether it may stand in any sentence.
type ToldBy<'py> = (Bound<'py, PyAny>, f64, bool);

#[pymethods]
impl WordReader {
    #[new]
    fn new(py: Python<'_>, word: &Bound<'_, PyType>, describe: Py<PyAny>) -> PyResult<Self> {
        let new = py.get_type::<PyTuple>().getattr(intern!(py, "__new__"))?.unbind();
        Ok(Self { describe, word: word.clone().unbind(), new, forms: Mutex::default() })
    }

    #[classattr]
    const DENIES: u8 = Roles::DENIES.0;
    #[classattr]
    const SOFTENS: u8 = Roles::SOFTENS.0;
    #[classattr]
    const BEGINS_CLAUSE: u8 = Roles::BEGINS_CLAUSE.0;
    #[classattr]
    const IS_FILED: u8 = Roles::IS_FILED.0;
    #[classattr]
    const OTHERS: u8 = Roles::OTHERS.0;

    fn __repr__(&self) -> &'static str {
        "WordReader()"
    }

    /// Return the words of *text*, from left to right; of scripts without spaces pairs of characters.
    fn read<'py>(&self, py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let read = self.words(py, characters::units(arguments::string(text, "text")?)?)?;
        let (new, word) = (self.new.bind(py), self.word.bind(py));
        let list = PyList::empty(py);
        for Read { found, clause, form } in read {
            let span = found.span;
            let parts = (
                form.text.bind(py),
                form.stem.bind(py),
                int(py, span.start),
                int(py, span.end),
                int(py, clause as usize),
            );
            list.append(new.call1((word, parts))?)?;
        }
        Ok(list)
    }
}

impl WordReader {
    /// The words of a text. The lock is never held while Python runs.
    fn words(&self, py: Python<'_>, text: Units<'_>) -> PyResult<Vec<Read>> {
        check_chars(text.len()).map_err(signals::exception)?;
        let found = words(text);
        let mut read = Vec::with_capacity(found.len());
        let (mut clause, mut codes) = (0, Vec::new());
        let mut forms = self.forms();
        for found in found {
            let written = text.slice(found.span.start..found.span.end);
            written_as(written, found.is_pair, &mut codes);
            let form = match forms.get(codes.as_slice()) {
                Some(form) => Arc::clone(form),
                None => {
                    drop(forms);
                    let form = Arc::new(self.described(py, written, found.is_pair)?);
                    forms = self.forms();
                    if forms.len() == MAX_FORMS {
                        forms.clear();
                    }
                    forms.insert(codes.as_slice().into(), Arc::clone(&form));
                    form
                }
            };
            clause += u32::from(found.is_behind_end);
            clause += u32::from(!found.is_pair && form.roles.has(Roles::BEGINS_CLAUSE));
            read.push(Read { found, clause, form });
        }
        Ok(read)
    }

    fn forms(&self) -> MutexGuard<'_, Forms> {
        self.forms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn described(&self, py: Python<'_>, written: Units<'_>, is_pair: bool) -> PyResult<Form> {
        let (text, stem, roles): (Bound<'_, PyString>, Bound<'_, PyString>, u8) =
            self.describe.bind(py).call1((characters::copied(py, written)?, is_pair))?.extract()?;
        let codes = characters::units(&stem)?.to_codes().into();
        Ok(Form { text: text.unbind(), stem: stem.unbind(), codes, roles: Roles(roles) })
    }
}

/// What a word is kept by.
fn written_as(written: Units<'_>, is_pair: bool, codes: &mut Vec<u32>) {
    codes.clear();
    match written {
        Units::U8(units) => codes.extend(units.iter().map(|&unit| u32::from(unit))),
        Units::U16(units) => codes.extend(units.iter().map(|&unit| u32::from(unit))),
        Units::U32(units) => codes.extend_from_slice(units),
    }
    // A pair may be written as a word is.
    codes.extend(is_pair.then_some(NO_CODE));
}

/// Sentences by the stems of their words, filed once and asked for many claims. Immutable and safe to
/// share between threads.
///
/// Args:
///     reader: Reads them.
///     texts: The sentences.
///     beside: For each of them a text whose words count as its own, such as the name of who speaks.
///
/// Raises:
///     TypeError: texts or beside is not a sequence of str.
///     ValueError: They are not as many.
#[pyclass(frozen, module = "groundwire._engine", name = "StemIndex")]
pub(crate) struct StemIndex {
    postings: Postings,
    written: Written,
}

#[pymethods]
impl StemIndex {
    #[new]
    fn new(
        py: Python<'_>,
        reader: &Bound<'_, WordReader>,
        texts: &Bound<'_, PyAny>,
        beside: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (texts, beside) = (arguments::strings(texts, "texts")?, arguments::strings(beside, "beside")?);
        if texts.len() != beside.len() {
            return Err(PyValueError::new_err(format!("{} texts, and {} beside them", texts.len(), beside.len())));
        }
        let reader = reader.get();
        let mut postings = Postings::default();
        let mut forms: HashMap<*const Form, Arc<Form>, Folding> = HashMap::default();
        let mut patience = signals::Patience::new();
        for (text, other) in texts.iter().zip(&beside) {
            let units = characters::units(text)?;
            patience.ask(py, units.len())?;
            let (own, others) = (reader.words(py, units)?, reader.words(py, characters::units(other)?)?);
            for Read { found, form, .. } in &own {
                if form.roles.has(Roles::IS_FILED) && !found.is_pair && !forms.contains_key(&Arc::as_ptr(form)) {
                    forms.insert(Arc::as_ptr(form), Arc::clone(form));
                }
            }
            postings.file(own.iter().map(Read::word), others.iter().map(Read::word)).map_err(signals::exception)?;
        }
        postings.finish();
        let mut texts = forms
            .values()
            .map(|form| Ok(characters::units(form.text.bind(py))?.to_codes()))
            .collect::<PyResult<Vec<_>>>()?;
        texts.sort_unstable();
        texts.dedup();
        let written = Written::of(texts.iter().map(Vec::as_slice));
        Ok(Self { postings, written })
    }

    /// Number of sentences.
    fn __len__(&self) -> usize {
        self.postings.len()
    }

    fn __repr__(&self) -> String {
        format!("StemIndex(count={})", self.postings.len())
    }

    /// Bytes of the whole index.
    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + self.postings.bytes() + self.written.bytes()
    }

    /// Return how many sentences have one of *stems*.
    fn count(&self, py: Python<'_>, stems: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(match &*self.stems(stems, "stems")? {
            &[stem] => self.postings.places(stem).len(),
            stems => self.any(py, stems)?.len(),
        })
    }

    /// Return the numbers of the sentences that have one of *stems*, in order.
    fn with_any(&self, py: Python<'_>, stems: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        self.any(py, &self.stems(stems, "stems")?)
    }

    /// Return the sentences with the largest share of the weight of *stems*.
    ///
    /// Args:
    ///     stems: Pairs of a stem and its weight, above 0, the heaviest first.
    ///     least: None with a smaller share.
    ///     limit: So many at most.
    ///
    /// Returns:
    ///     Tuples, the largest share first, of equals the lowest number: the number; the share, 0.0 to
    ///     1.0, rounded to nine decimals; what the sentence itself has of these words, None if
    ///     nothing: start of the first of them and end of the last, whether a denial stands in a clause
    ///     that has one, and whether a denial denies one; how many of *stems* its words have and those
    ///     beside it, filed or not; and what its words do, all together.
    ///
    /// Raises:
    ///     ValueError: A weight is not above 0, or infinite.
    fn nearest(
        &self,
        py: Python<'_>,
        stems: Vec<(Bound<'_, PyAny>, f64)>,
        least: f64,
        limit: usize,
    ) -> PyResult<Vec<Nearest>> {
        let mut weighted = Vec::with_capacity(stems.len());
        for (stem, weight) in stems {
            weighted.push(Weighted { stem: self.stem(&stem, "stems")?, weight: checked(weight)? });
        }
        let visited = weighted.iter().map(|each| self.postings.places(each.stem).len()).sum();
        let near = signals::run(py, visited, |interrupt| self.postings.nearest(&weighted, least, limit, interrupt))?;
        Ok(near.into_iter().map(nearest).collect())
    }

    /// Return the numbers of the sentences that have one of *stems* and one of *others*, in order.
    fn with_both(&self, py: Python<'_>, stems: &Bound<'_, PyAny>, others: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let (stems, others) = (self.stems(stems, "stems")?, self.stems(others, "others")?);
        let visited = stems.iter().chain(&others).map(|&stem| self.postings.places(stem).len()).sum();
        signals::run(py, visited, |interrupt| self.postings.with_both(&stems, &others, interrupt))
    }

    /// Return the words of the sentences that are written most like *word*.
    ///
    /// Both in small letters; words of five characters at least, without digits, and filed. `ß` is `ss`,
    /// an ending behind an apostrophe does not count.
    ///
    /// Args:
    ///     word: A word.
    ///     least: None with a smaller similarity.
    ///     limit: So many at most.
    ///
    /// Returns:
    ///     Words with their similarity, the best first: twice the grams of three characters that both have by
    ///     those of each, 0.0 to 1.0; *least* at least for one that ends with *word*.
    fn like(&self, py: Python<'_>, word: &Bound<'_, PyAny>, least: f64, limit: usize) -> PyResult<Vec<(String, f64)>> {
        let codes = characters::units(arguments::string(word, "word")?)?.to_codes();
        let words = self.written.bytes() / 16;
        signals::run(py, words, |interrupt| {
            let found = self.written.like(&codes, least, limit, interrupt)?;
            Ok(found.into_iter().map(|(word, share)| (word.to_owned(), share)).collect())
        })
    }

    /// Return those of the first *limit* sentences of `with_both` in which one of *stems* stands in a
    /// clause behind one of *others*.
    fn with_behind(
        &self,
        py: Python<'_>,
        stems: &Bound<'_, PyAny>,
        others: &Bound<'_, PyAny>,
        limit: usize,
    ) -> PyResult<Vec<u32>> {
        let (stems, others) = (self.stems(stems, "stems")?, self.stems(others, "others")?);
        let visited = stems.iter().chain(&others).map(|&stem| self.postings.places(stem).len()).sum();
        signals::run(py, visited, |interrupt| self.postings.with_behind(&stems, &others, limit, interrupt))
    }

    /// Return the sentences that, with those around them, have the largest share of the weight of *words*.
    ///
    /// Args:
    ///     words: The words of a claim, in their order: the stems that each may be told by, its weight,
    ///         above 0, and whether it may stand in any sentence.
    ///     least: None with a smaller share.
    ///     alone: None that has a smaller share itself; looked at last, so that there are fewer than *limit*.
    ///         Nor one that has with none of those around it *least*.
    ///     seeds: So many of the heaviest words are looked up; one of them stands in each sentence found.
    ///     most: A word that stands in more sentences is none of these.
    ///     around: How many sentences before one count, and how many behind it.
    ///     limit: So many at most; of equal shares, rounded to nine decimals, the first.
    ///
    /// Returns:
    ///     Their numbers, in order.
    ///
    /// Raises:
    ///     ValueError: A weight is not above 0, or infinite.
    #[pyo3(signature = (words, *, least, alone, seeds, most, around, limit))]
    #[expect(clippy::too_many_arguments, reason = "each is a number that the caller names")]
    fn restating(
        &self,
        py: Python<'_>,
        words: Vec<ToldBy<'_>>,
        least: f64,
        alone: f64,
        seeds: usize,
        most: usize,
        around: (u32, u32),
        limit: usize,
    ) -> PyResult<Vec<u32>> {
        let mut told = Vec::with_capacity(words.len());
        for (stems, weight, is_anywhere) in words {
            told.push(Told { stems: self.stems(&stems, "words")?, weight: checked(weight)?, is_anywhere });
        }
        let least = Least { share: least, alone, seeds, most_places: most, before: around.0, behind: around.1 };
        let visited = told.iter().flat_map(|word| &word.stems).map(|&stem| self.postings.places(stem).len()).sum();
        signals::run(py, visited, |interrupt| self.postings.restating(&told, &least, limit, interrupt))
    }
}

fn checked(weight: f64) -> PyResult<f64> {
    if weight > 0.0 && weight.is_finite() {
        return Ok(weight);
    }
    Err(PyValueError::new_err(format!("weights must be above 0 and finite, got {weight}")))
}

impl StemIndex {
    fn stem(&self, stem: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Option<u32>> {
        Ok(self.postings.stem(characters::units(arguments::string(stem, parameter)?)?))
    }

    fn any(&self, py: Python<'_>, stems: &[Option<u32>]) -> PyResult<Vec<u32>> {
        let visited = stems.iter().map(|&stem| self.postings.places(stem).len()).sum();
        signals::run(py, visited, |interrupt| self.postings.with_any(stems, interrupt))
    }

    fn stems(&self, stems: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Vec<Option<u32>>> {
        let strings = arguments::strings(stems, parameter)?;
        strings.iter().map(|stem| self.stem(stem, parameter)).collect()
    }
}

fn nearest(Near { number, share, shared, had, roles }: Near) -> Nearest {
    let shared = shared.map(|found| (found.span.start, found.span.end, found.has_denial, found.is_denied));
    (number, share, shared, had, roles.0)
}
