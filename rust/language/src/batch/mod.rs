//! Rows of a column: what the citations of answers come to, and what claims cite.

mod answers;
mod claims;
mod hedge_text;

pub use answers::{AnswerFigures, AnswerRow, RowIds, figures};
pub use claims::{CitedValue, ClaimRow, Hedges, Reading, claims};
