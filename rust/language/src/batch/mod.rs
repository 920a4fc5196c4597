//! Processes columns row by row: the citation counts of answers, and the citations of claims.

mod answers;
mod claims;
mod hedge_text;

pub use answers::{AnswerRow, AnswerRowCounts, RowIds, count_answers};
pub use claims::{CitedValue, ClaimOptions, ClaimRow, HedgeMatches, read_claims};
