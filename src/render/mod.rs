//! bundle + configuration + target -> the objects that the controller applies.
