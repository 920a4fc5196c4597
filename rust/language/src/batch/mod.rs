//! Processes columns row by row: the citation counts of answers, and the citations of claims.

mod answers;
mod claims;
mod hedge_text;

pub use answers::{AnswerRow, AnswerRowCounts, RowIds, counts};
pub use claims::{CitedValue, ClaimRow, Hedges, Reading, claims};
