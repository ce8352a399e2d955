//! Which function does what is declared.

use super::each::Each;
use super::{
    Cx, Given, Native, encoding, errors, hashing, json, lists, maps, math, paths, sets, sizes,
    strings, texts, time,
};
use crate::raise::{Raise, kinds};
use crate::value::Value;

/// Whether a function is not done here: it touches the world, is journalled, or
/// needs the text of a secret, so the machine asks for what it gives.
pub fn is_asked(native: Native) -> bool {
    matches!(
        native,
        Native::Ask
            | Native::AuditLog
            | Native::Delegate
            | Native::GenerateId
            | Native::HmacSha256
            | Native::HttpRequest
            | Native::LlmCall
            | Native::Log
            | Native::MemoryRead
            | Native::MemorySearchString
            | Native::MemorySearchMemory
            | Native::MemoryWriteString
            | Native::MemoryWriteEntry
            | Native::Now
            | Native::Parallel
            | Native::Print
            | Native::Publish
            | Native::Race
            | Native::Random
            | Native::Reason
            | Native::SecretRead
            | Native::Send
            | Native::SendTo
            | Native::Sleep
            | Native::TimeSince
            | Native::ToolCall
            | Native::VerifyHmacSha256
            | Native::VerifySecret
    )
}

/// Calls a function of the library with one value for each of its parameters.
/// One that changes the place on its left changes the first of them.
///
/// # Errors
/// What its declaration says, and [`crate::Failure::Memory`], after which it may be
/// called once more with the same arguments.
pub fn call(native: Native, cx: &mut Cx<'_>, args: &mut [Value]) -> Given {
    match native {
        Native::AbsInt | Native::AbsFloat => math::abs(cx, args),
        Native::After => strings::after(cx, args),
        Native::Base64Decode => encoding::base64_decode(cx, args),
        Native::Base64Encode => encoding::base64_encode(cx, args),
        Native::Before => strings::before(cx, args),
        Native::Ceil => math::ceil(cx, args),
        Native::Chars => strings::chars(cx, args),
        Native::Chunks => lists::chunks(cx, args),
        Native::ClampInt | Native::ClampFloat => math::clamp(cx, args),
        Native::Concat => lists::concat(cx, args),
        Native::ContainsString => strings::contains(cx, args),
        Native::ContainsArray => lists::contains(cx, args),
        Native::ContainsMap => maps::contains(cx, args),
        Native::ContainsSet => sets::contains(cx, args),
        Native::CountString => strings::count_of(cx, args),
        Native::Date => time::date(cx, args),
        Native::Day => time::part(cx, args, "day", |at| i64::from(at.day())),
        Native::Dedent => texts::dedent(cx, args),
        Native::Difference => sets::difference(cx, args),
        Native::Div => math::div(cx, args),
        Native::EndsWith => strings::ends_with(cx, args),
        Native::Entries => lists::entries(cx, args),
        Native::Enumerate => lists::enumerate(cx, args),
        Native::ErrorString => errors::error(cx, args),
        Native::ErrorError => errors::again(cx, args),
        Native::First => lists::first(cx, args),
        Native::Flatten => lists::flatten(cx, args),
        Native::Floor => math::floor(cx, args),
        Native::Format => texts::format(cx, args),
        Native::FromUnix => time::from_unix(cx, args),
        Native::GetArray => lists::get(cx, args),
        Native::GetArrayDefault => lists::get_default(cx, args),
        Native::GetMap => maps::get(cx, args),
        Native::GetMapDefault => maps::get_default(cx, args),
        Native::HashSha256 => hashing::sha256(cx, args),
        Native::HashSha512 => hashing::sha512(cx, args),
        Native::Hour => time::part(cx, args, "hour", |at| i64::from(at.hour())),
        Native::Indent => texts::indent(cx, args),
        Native::IndexOfString => strings::index_of(cx, args),
        Native::IndexOfArray => lists::index_of(cx, args),
        Native::InsertArray => lists::insert(cx, args),
        Native::InsertMap => maps::insert(cx, args),
        Native::InsertSet => sets::insert(cx, args),
        Native::Intersection => sets::intersection(cx, args),
        Native::IsEmptyString => strings::is_empty(cx, args),
        Native::IsEmptyArray => lists::is_empty(cx, args),
        Native::IsEmptyMap => maps::is_empty(cx, args),
        Native::IsEmptySet => sets::is_empty(cx, args),
        Native::IsNan => math::is_nan(cx, args),
        Native::IsSubset => sets::is_subset(cx, args),
        Native::Join => strings::join(cx, args),
        Native::Keys => maps::keys(cx, args),
        Native::Last => lists::last(cx, args),
        Native::LengthString => strings::length(cx, args),
        Native::LengthArray => lists::length(cx, args),
        Native::LengthMap => maps::length(cx, args),
        Native::LengthSet => sets::length(cx, args),
        Native::LengthJson => json::length(cx, args),
        Native::Lines => texts::lines(cx, args),
        Native::Ln => math::ln(cx, args),
        Native::Lower => strings::lower(cx, args),
        Native::MaxArray => lists::max(cx, args),
        Native::MaxInt | Native::MaxFloat | Native::MaxDuration => math::max(cx, args),
        Native::Merge => maps::merge(cx, args),
        Native::MinArray => lists::min(cx, args),
        Native::MinInt | Native::MinFloat | Native::MinDuration => math::min(cx, args),
        Native::Minute => time::part(cx, args, "minute", |at| i64::from(at.minute())),
        Native::Month => time::part(cx, args, "month", |at| i64::from(at.month())),
        Native::Otherwise => texts::otherwise(cx, args),
        Native::PadEnd => strings::pad_end(cx, args),
        Native::PadStart => strings::pad_start(cx, args),
        Native::ParseDuration => time::parse_duration(cx, args),
        Native::ParseJson => json::parse(cx, args),
        Native::ParseSize => sizes::parse_size(cx, args),
        Native::ParseTime => time::parse_time(cx, args),
        Native::Pow => math::pow(cx, args),
        Native::Push => lists::push(cx, args),
        Native::Range => lists::range(cx, args),
        Native::RemoveArray => lists::remove(cx, args),
        Native::RemoveMap => maps::remove(cx, args),
        Native::RemoveSet => sets::remove(cx, args),
        Native::Repeat => strings::repeat(cx, args),
        Native::Replace => strings::replace(cx, args),
        Native::ReversedString => strings::reversed(cx, args),
        Native::ReversedArray => lists::reversed(cx, args),
        Native::Round => math::round(cx, args),
        Native::RoundTo => math::round_to(cx, args),
        Native::Select => paths::select(cx, args),
        Native::Skip => lists::skip(cx, args),
        Native::SliceString => strings::slice(cx, args),
        Native::SliceArray => lists::slice(cx, args),
        Native::Sort => lists::sort(cx, args),
        Native::Sorted => lists::sorted(cx, args),
        Native::Split => strings::split(cx, args),
        Native::Sqrt => math::sqrt(cx, args),
        Native::StartsWith => strings::starts_with(cx, args),
        Native::StripPrefix => strings::strip_prefix(cx, args),
        Native::StripSuffix => strings::strip_suffix(cx, args),
        Native::SumInt => lists::sum(cx, args, lists::Zero::Int),
        Native::SumFloat => lists::sum(cx, args, lists::Zero::Float),
        Native::SumDuration => lists::sum(cx, args, lists::Zero::Duration),
        Native::Take => lists::take_first(cx, args),
        Native::ToBytes => sizes::to_bytes(cx, args),
        Native::ToDays => time::in_units(args, "to_days", 86_400.0),
        Native::ToFloat => strings::to_float(cx, args),
        Native::ToHours => time::in_units(args, "to_hours", 3_600.0),
        Native::ToInt => strings::to_int(cx, args),
        Native::ToIso => time::to_iso(cx, args),
        Native::ToJson => json::write(cx, args),
        Native::ToList => sets::to_list(cx, args),
        Native::ToMilliseconds => time::to_milliseconds(cx, args),
        Native::ToMinutes => time::in_units(args, "to_minutes", 60.0),
        Native::ToSeconds => time::in_units(args, "to_seconds", 1.0),
        Native::ToSet => lists::to_set(cx, args),
        Native::ToString => texts::to_string(cx, args),
        Native::ToUnix => time::to_unix(cx, args),
        Native::Trim => strings::trim(cx, args),
        Native::TrimEnd => strings::trim_end(cx, args),
        Native::TrimStart => strings::trim_start(cx, args),
        Native::TruncateString => texts::truncate(cx, args),
        Native::TruncateFloat => math::truncate(cx, args),
        Native::TypeOf => texts::type_of(cx, args),
        Native::Union => sets::union(cx, args),
        Native::Unique => lists::unique(cx, args),
        Native::Upper => strings::upper(cx, args),
        Native::UrlDecode => encoding::url_decode(cx, args),
        Native::UrlEncode => encoding::url_encode(cx, args),
        Native::Values => maps::values(cx, args),
        Native::Weekday => time::part(cx, args, "weekday", |at| {
            i64::from(at.weekday().to_monday_one_offset())
        }),
        Native::Words => texts::words(cx, args),
        Native::Year => time::part(cx, args, "year", |at| i64::from(at.year())),
        Native::Zip => lists::zip(cx, args),
        Native::Map
        | Native::FlatMap
        | Native::FilterArray
        | Native::FilterMap
        | Native::Find
        | Native::Any
        | Native::All
        | Native::CountArray
        | Native::Reduce
        | Native::SortedBy
        | Native::GroupBy
        | Native::ToMap
        | Native::MapValues => Err(elsewhere(native)),
        Native::Ask
        | Native::AuditLog
        | Native::Delegate
        | Native::GenerateId
        | Native::HmacSha256
        | Native::HttpRequest
        | Native::LlmCall
        | Native::Log
        | Native::MemoryRead
        | Native::MemorySearchString
        | Native::MemorySearchMemory
        | Native::MemoryWriteString
        | Native::MemoryWriteEntry
        | Native::Now
        | Native::Parallel
        | Native::Print
        | Native::Publish
        | Native::Race
        | Native::Random
        | Native::Reason
        | Native::SecretRead
        | Native::Send
        | Native::SendTo
        | Native::Sleep
        | Native::TimeSince
        | Native::ToolCall
        | Native::VerifyHmacSha256
        | Native::VerifySecret => Err(elsewhere(native)),
    }
}

/// The machine never calls these here.
fn elsewhere(native: Native) -> crate::raise::Failure {
    let who = match Each::calls_back(native) {
        true => "it calls functions, which the machine does",
        false => "it is for the host to carry out",
    };
    Raise::new(
        kinds::NO_PROVIDER,
        format!("`{native:?}` is not done here: {who}"),
    )
    .into()
}
