//! workspace -> snapshot; before + after -> plan.
