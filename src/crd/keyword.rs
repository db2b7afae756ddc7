//! The keywords of a schema, as `JSONSchemaProps` of apiextensions.k8s.io/v1 has them: a keyword that is not here is dropped.

use std::fmt;

/// How a keyword's value is held, which decides what counts as "not there".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A string; `""` is not there.
    Text,
    /// The `$schema` URL: a string with a type of its own.
    Url,
    /// A string that can be there and empty.
    TextPointer,
    /// A boolean; `false` is not there.
    Flag,
    /// A boolean that can be there and `false`.
    FlagPointer,
    /// A number.
    Float,
    /// A whole number.
    Int,
    /// Any JSON value but `null`.
    Json,
    /// A list of JSON values.
    Jsons,
    /// A list of strings.
    Texts,
    /// A schema or a list of schemas.
    SchemaOrArray,
    /// A list of schemas.
    Schemas,
    /// A schema.
    Schema,
    /// Schemas by name.
    SchemaMap,
    /// Schemas by name, in a map type of its own.
    Definitions,
    /// A boolean or a schema.
    SchemaOrBool,
    /// Schemas or lists of strings, by name.
    Dependencies,
    /// A description and a URL.
    Docs,
    /// Rules in the Common Expression Language.
    Rules,
}

macro_rules! keywords {
    ($($variant:ident $json:literal $go:literal $kind:ident,)*) => {
        /// A keyword of a schema, in the order of `JSONSchemaProps`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum Keyword { $($variant,)* }

        impl Keyword {
            /// Every keyword.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Its name in a document.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $json,)* }
            }

            /// The keyword of that name.
            pub fn named(name: &str) -> Option<Self> {
                match name { $($json => Some(Self::$variant),)* _ => None }
            }

            /// The name of its field in the Go type.
            pub(crate) fn go_name(self) -> &'static str {
                match self { $(Self::$variant => $go,)* }
            }

            pub(crate) fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind,)* }
            }
        }
    };
}

// k8s.io/apiextensions-apiserver v0.36 pkg/apis/apiextensions/v1/types_jsonschema.go: JSONSchemaProps.
keywords! {
    Id "id" "ID" Text,
    Schema "$schema" "Schema" Url,
    Ref "$ref" "Ref" TextPointer,
    Description "description" "Description" Text,
    Type "type" "Type" Text,
    Format "format" "Format" Text,
    Title "title" "Title" Text,
    Default "default" "Default" Json,
    Maximum "maximum" "Maximum" Float,
    ExclusiveMaximum "exclusiveMaximum" "ExclusiveMaximum" Flag,
    Minimum "minimum" "Minimum" Float,
    ExclusiveMinimum "exclusiveMinimum" "ExclusiveMinimum" Flag,
    MaxLength "maxLength" "MaxLength" Int,
    MinLength "minLength" "MinLength" Int,
    Pattern "pattern" "Pattern" Text,
    MaxItems "maxItems" "MaxItems" Int,
    MinItems "minItems" "MinItems" Int,
    UniqueItems "uniqueItems" "UniqueItems" Flag,
    MultipleOf "multipleOf" "MultipleOf" Float,
    Enum "enum" "Enum" Jsons,
    MaxProperties "maxProperties" "MaxProperties" Int,
    MinProperties "minProperties" "MinProperties" Int,
    Required "required" "Required" Texts,
    Items "items" "Items" SchemaOrArray,
    AllOf "allOf" "AllOf" Schemas,
    OneOf "oneOf" "OneOf" Schemas,
    AnyOf "anyOf" "AnyOf" Schemas,
    Not "not" "Not" Schema,
    Properties "properties" "Properties" SchemaMap,
    AdditionalProperties "additionalProperties" "AdditionalProperties" SchemaOrBool,
    PatternProperties "patternProperties" "PatternProperties" SchemaMap,
    Dependencies "dependencies" "Dependencies" Dependencies,
    AdditionalItems "additionalItems" "AdditionalItems" SchemaOrBool,
    Definitions "definitions" "Definitions" Definitions,
    ExternalDocs "externalDocs" "ExternalDocs" Docs,
    Example "example" "Example" Json,
    Nullable "nullable" "Nullable" Flag,
    PreserveUnknownFields "x-kubernetes-preserve-unknown-fields" "XPreserveUnknownFields" FlagPointer,
    EmbeddedResource "x-kubernetes-embedded-resource" "XEmbeddedResource" Flag,
    IntOrString "x-kubernetes-int-or-string" "XIntOrString" Flag,
    ListMapKeys "x-kubernetes-list-map-keys" "XListMapKeys" Texts,
    ListType "x-kubernetes-list-type" "XListType" TextPointer,
    MapType "x-kubernetes-map-type" "XMapType" TextPointer,
    Validations "x-kubernetes-validations" "XValidations" Rules,
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::named(keyword.name()), Some(*keyword));
        }
        assert_eq!(Keyword::named("x-kubernetes-nothing"), None);
        assert_eq!(Keyword::ALL.len(), 44);
    }
}
