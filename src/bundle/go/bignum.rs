//! Natural numbers of any size, as far as quantities and hashes need them: small factors in and out, text in any base.

/// A natural number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Natural {
    /// Least first, without zeros at the end.
    limbs: Vec<u32>,
}

impl Natural {
    /// The number that the decimal digits write; `None` where one is no digit.
    pub fn from_decimal(digits: &str) -> Option<Self> {
        let mut out = Self::default();
        for digit in digits.chars() {
            out.multiply(10);
            out.add(digit.to_digit(10)?);
        }
        Some(out)
    }

    /// The number that the bytes write, most significant first.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let mut out = Self::default();
        for byte in bytes {
            out.multiply(256);
            out.add(u32::from(*byte));
        }
        out
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Adds a small number.
    pub fn add(&mut self, number: u32) {
        let mut carry = number;
        for limb in &mut self.limbs {
            let (sum, over) = limb.overflowing_add(carry);
            *limb = sum;
            carry = u32::from(over);
            if carry == 0 {
                return;
            }
        }
        if carry > 0 {
            self.limbs.push(carry);
        }
    }

    /// Multiplies by a small number.
    pub fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = low(product);
            carry = product >> 32;
        }
        if carry > 0 {
            self.limbs.push(low(carry));
        }
        self.trim();
    }

    /// Divides by a small number that is not zero; the remainder comes back.
    pub fn divide(&mut self, divisor: u32) -> u32 {
        let mut rest = 0_u64;
        for limb in self.limbs.iter_mut().rev() {
            let part = rest << 32 | u64::from(*limb);
            *limb = low(part / u64::from(divisor.max(1)));
            rest = part % u64::from(divisor.max(1));
        }
        self.trim();
        low(rest)
    }

    /// Its text in a base up to 36, with small letters.
    pub fn text(&self, base: u32) -> String {
        let mut number = self.clone();
        let mut digits = Vec::new();
        while !number.is_zero() {
            digits.push(char::from_digit(number.divide(base), base).unwrap_or('0'));
        }
        if digits.is_empty() { "0".to_owned() } else { digits.into_iter().rev().collect() }
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let length = self.limbs.len().cmp(&other.limbs.len());
        length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

fn low(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_as_u128_does(number in any::<u128>(), factor in 1..1_000_000_u32) {
            let mut natural = Natural::from_decimal(&number.to_string()).unwrap();
            prop_assert_eq!(natural.text(10), number.to_string());
            prop_assert_eq!(natural.text(16), format!("{number:x}"));
            prop_assert_eq!(Natural::from_bytes(&number.to_be_bytes()), natural.clone());
            let rest = natural.divide(factor);
            prop_assert_eq!(natural.text(10), (number / u128::from(factor)).to_string());
            prop_assert_eq!(u128::from(rest), number % u128::from(factor));
            natural.multiply(factor);
            natural.add(rest);
            prop_assert_eq!(natural.text(10), number.to_string());
        }
    }
}
