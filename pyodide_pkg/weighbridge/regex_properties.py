r"""
What ``\p{...}`` means here: the general categories and a few exact sets, nothing guessed.

ECMA-262 knows far more names than the package pins tables for.  Those are legal
in a pattern, so the grammar accepts them, and a catalog that uses one is refused
with a rewrite.
"""

from __future__ import annotations

from functools import cache

from weighbridge.regex_categories import categories
from weighbridge.regex_sets import (
    EVERYTHING,
    SPACE,
    CodePoints,
    complement,
    holds,
    ranges,
    union,
    without,
)

#: The categories by the names that ECMA-262 takes for them, and what each covers.
_CATEGORIES = """
Cc Control cntrl; Cf Format; Cn Unassigned; Co Private_Use; Cs Surrogate;
Ll Lowercase_Letter; Lm Modifier_Letter; Lo Other_Letter; Lt Titlecase_Letter;
Lu Uppercase_Letter; Mc Spacing_Mark; Me Enclosing_Mark; Mn Nonspacing_Mark;
Nd Decimal_Number digit; Nl Letter_Number; No Other_Number;
Pc Connector_Punctuation; Pd Dash_Punctuation; Pe Close_Punctuation;
Pf Final_Punctuation; Pi Initial_Punctuation; Po Other_Punctuation;
Ps Open_Punctuation; Sc Currency_Symbol; Sk Modifier_Symbol; Sm Math_Symbol;
So Other_Symbol; Zl Line_Separator; Zp Paragraph_Separator; Zs Space_Separator
"""

_GROUPS = """
C Other: Cc Cf Cn Co Cs; L Letter: Ll Lm Lo Lt Lu; LC Cased_Letter: Ll Lt Lu;
M Mark Combining_Mark: Mc Me Mn; N Number: Nd Nl No;
P Punctuation punct: Pc Pd Pe Pf Pi Po Ps; S Symbol: Sc Sk Sm So;
Z Separator: Zl Zp Zs
"""

#: Binary properties of ECMA-262 that have no table here; legal, and refused.
_UNPINNED = """
    Alphabetic Alpha Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI
    Cased Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM
    Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash
    Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji
    Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase
    Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext
    Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex
    ID_Continue IDC ID_Start IDS IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST Ideographic Ideo
    Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math
    Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space
    Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal
    STerm Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo
    Uppercase Upper Variation_Selector VS XID_Continue XIDC XID_Start XIDS
    """

#: Values of Script and Script_Extensions, as browsers of Unicode 17 know them.
_SCRIPTS = """
    Adlm Adlam Aghb Caucasian_Albanian Ahom Arab Arabic Armi Imperial_Aramaic Armn
    Armenian Avst Avestan Bali Balinese Bamu Bamum Bass Bassa_Vah Batk Batak Beng
    Bengali Berf Beria_Erfe Bhks Bhaiksuki Bopo Bopomofo Brah Brahmi Brai Braille
    Bugi Buginese Buhd Buhid Cakm Chakma Cans Canadian_Aboriginal Cari Carian Cham
    Cher Cherokee Chrs Chorasmian Copt Coptic Qaac Cpmn Cypro_Minoan Cprt Cypriot
    Cyrl Cyrillic Deva Devanagari Diak Dives_Akuru Dogr Dogra Dsrt Deseret Dupl
    Duployan Egyp Egyptian_Hieroglyphs Elba Elbasan Elym Elymaic Ethi Ethiopic Gara
    Garay Geor Georgian Glag Glagolitic Gong Gunjala_Gondi Gonm Masaram_Gondi Goth
    Gothic Gran Grantha Grek Greek Gujr Gujarati Gukh Gurung_Khema Guru Gurmukhi
    Hang Hangul Hani Han Hano Hanunoo Hatr Hatran Hebr Hebrew Hira Hiragana Hluw
    Anatolian_Hieroglyphs Hmng Pahawh_Hmong Hmnp Nyiakeng_Puachue_Hmong Hung
    Old_Hungarian Ital Old_Italic Java Javanese Kali Kayah_Li Kana Katakana Kawi
    Khar Kharoshthi Khmr Khmer Khoj Khojki Kits Khitan_Small_Script Knda Kannada
    Krai Kirat_Rai Kthi Kaithi Lana Tai_Tham Laoo Lao Latn Latin Lepc Lepcha Limb
    Limbu Lina Linear_A Linb Linear_B Lisu Lyci Lycian Lydi Lydian Mahj Mahajani
    Maka Makasar Mand Mandaic Mani Manichaean Marc Marchen Medf Medefaidrin Mend
    Mende_Kikakui Merc Meroitic_Cursive Mero Meroitic_Hieroglyphs Miao Mlym
    Malayalam Modi Mong Mongolian Mroo Mro Mtei Meetei_Mayek Mult Multani Mymr
    Myanmar Nagm Nag_Mundari Nand Nandinagari Narb Old_North_Arabian Nbat Nabataean
    Newa Nkoo Nko Nshu Nushu Ogam Ogham Olck Ol_Chiki Onao Ol_Onal Orkh Old_Turkic
    Orya Oriya Osge Osage Osma Osmanya Ougr Old_Uyghur Palm Palmyrene Pauc
    Pau_Cin_Hau Perm Old_Permic Phag Phags_Pa Phli Inscriptional_Pahlavi Phlp
    Psalter_Pahlavi Phnx Phoenician Plrd Prti Inscriptional_Parthian Qaai Inherited
    Zinh Rjng Rejang Rohg Hanifi_Rohingya Runr Runic Samr Samaritan Sarb
    Old_South_Arabian Saur Saurashtra Sgnw SignWriting Shaw Shavian Shrd Sharada
    Sidd Siddham Sidt Sidetic Sind Khudawadi Sinh Sinhala Sogd Sogdian Sogo
    Old_Sogdian Sora Sora_Sompeng Soyo Soyombo Sund Sundanese Sunu Sunuwar Sylo
    Syloti_Nagri Syrc Syriac Tagb Tagbanwa Takr Takri Tale Tai_Le Talu New_Tai_Lue
    Taml Tamil Tang Tangut Tavt Tai_Viet Tayo Tai_Yo Telu Telugu Tfng Tifinagh Tglg
    Tagalog Thaa Thaana Thai Tibt Tibetan Tirh Tirhuta Tnsa Tangsa Todr Todhri Tols
    Tolong_Siki Toto Tutg Tulu_Tigalari Ugar Ugaritic Vaii Vai Vith Vithkuqi Wara
    Warang_Citi Wcho Wancho Xpeo Old_Persian Xsux Cuneiform Yezi Yezidi Yiii Yi Zanb
    Zanabazar_Square Zyyy Common Zzzz Unknown
    """

# Other_ID_Start and Other_ID_Continue, which Unicode keeps stable, and U+2E2F,
# the one letter that is also Pattern_Syntax.
_ALSO_START = ranges([(0x1885, 0x1886), (0x2118, 0x2118), (0x212E, 0x212E), (0x309B, 0x309C)])
_ALSO_CONTINUE = ranges(
    [
        (0xB7, 0xB7),
        (0x387, 0x387),
        (0x1369, 0x1371),
        (0x19DA, 0x19DA),
        (0x200C, 0x200D),
        (0x30FB, 0x30FB),
        (0xFF65, 0xFF65),
    ]
)
_NOT_IDENTIFIER = ranges([(0x2E2F, 0x2E2F)])

# What a name may begin with besides.
_SIGNS = (ord("$"), ord("_"))


@cache
def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


@cache
def _general() -> dict[str, CodePoints]:
    table = categories()
    found: dict[str, CodePoints] = {}
    for entry in _CATEGORIES.split(";"):
        names = entry.split()
        found.update(dict.fromkeys(names, table[names[0]]))
    for entry in _GROUPS.split(";"):
        heading, members = entry.split(":")
        points = union(table[name] for name in members.split())
        found.update(dict.fromkeys(heading.split(), points))
    return found


@cache
def identifier_start() -> CodePoints:
    """
    ID_Start, derived from the pinned categories.
    """
    general = _general()
    return without(union((general["L"], general["Nl"], _ALSO_START)), _NOT_IDENTIFIER)


@cache
def identifier_continue() -> CodePoints:
    """
    ID_Continue, derived from the pinned categories.
    """
    general = _general()
    more = (general[name] for name in ("Mn", "Mc", "Nd", "Pc"))
    return union((identifier_start(), *more, _ALSO_CONTINUE))


def may_start_name(point: int) -> bool:
    """
    Whether a code point may begin the name of a group.
    """
    return point in _SIGNS or holds(identifier_start(), point)


def may_continue_name(point: int) -> bool:
    """
    Whether a code point may stand after the first in the name of a group.
    """
    return point in _SIGNS or holds(identifier_continue(), point)


@cache
def _exact() -> dict[str, CodePoints]:
    hexadecimal = ranges([(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)])
    space = union((without(SPACE, ranges([(0xFEFF, 0xFEFF)])), ranges([(0x85, 0x85)])))
    return {
        "Any": EVERYTHING,
        "ASCII": (0, 0x80),
        "ASCII_Hex_Digit": hexadecimal,
        "AHex": hexadecimal,
        "Assigned": complement(_general()["Cn"]),
        "White_Space": space,
        "space": space,
    }


def is_property(name: str, value: str | None) -> bool:
    r"""
    Whether ECMA-262 gives ``\p{name=value}`` or ``\p{name}`` a meaning.
    """
    if value is None:
        return name in _general() or name in _exact() or name in _names(_UNPINNED)
    if name in ("General_Category", "gc"):
        return value in _general()
    return name in ("Script", "sc", "Script_Extensions", "scx") and value in _names(_SCRIPTS)


def property_points(name: str, value: str | None) -> CodePoints | None:
    """
    The code points of a property, or None where no exact table is pinned.
    """
    if value is None:
        return _general().get(name) or _exact().get(name)
    return _general().get(value) if name in ("General_Category", "gc") else None
