"""Which HTML elements there are, and what may stand in what."""

from __future__ import annotations

from collections.abc import Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _words("area base br col embed hr img input link meta source track wbr")
FOREIGN = _words("svg math")
# Whatever begins one of these ends a paragraph that is still open: so a paragraph can't hold it.
BLOCKS = _words("""
    address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
    header hgroup hr main menu nav ol p pre search section table ul
""")
# What holds words and what stands among words, and nothing of the above.
PHRASES = _words("""
    p h1 h2 h3 h4 h5 h6 span em strong b i u s small mark code kbd samp var sub sup cite q dfn abbr time label button
    output
""")
OTHERS = _words("""
    a audio bdi bdo body canvas caption colgroup data datalist dd del dt head html iframe ins legend li map meter
    noscript object optgroup option picture progress rp rt ruby script select slot style summary tbody td template
    textarea tfoot th thead title tr video
""")
KNOWN = VOID | BLOCKS | PHRASES | FOREIGN | OTHERS
KNOWN_FOREIGN = _words("""
    a circle clippath defs desc ellipse fegaussianblur filter foreignobject g image line lineargradient marker mask
    metadata path pattern polygon polyline radialgradient rect stop svg switch symbol text textpath title tspan use
    annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded
    mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover
    none semantics
""")
# What stands in nothing else, and what holds nothing else.
LIST = _words("li")
ROWS = _words("tr")
PARENTS = {
    "li": {"ul", "ol", "menu"},
    "dt": {"dl", "div"},
    "dd": {"dl", "div"},
    "tr": {"table", "thead", "tbody", "tfoot"},
    "td": {"tr"},
    "th": {"tr"},
    "caption": {"table"},
    "thead": {"table"},
    "tbody": {"table"},
    "tfoot": {"table"},
    "option": {"select", "optgroup", "datalist"},
    "legend": {"fieldset"},
    "figcaption": {"figure"},
    "summary": {"details"},
    "title": {"head"},
    "base": {"head"},
    "body": {"html"},
    "head": {"html"},
}
CHILDREN = {
    "ul": LIST,
    "ol": LIST,
    "menu": LIST,
    "dl": {"dt", "dd", "div"},
    "table": {"caption", "colgroup", "thead", "tbody", "tfoot", "tr"},
    "thead": ROWS,
    "tbody": ROWS,
    "tfoot": ROWS,
    "tr": {"td", "th"},
    "select": {"option", "optgroup", "hr"},
    "html": {"head", "body"},
    "head": {"base", "link", "meta", "noscript", "style", "title"},
}
ANYWHERE = _words("script template")
# A thing to press or to follow can't lie in another, nor a form in a form.
ALONE = {
    "a": _words("a button"),
    "button": _words("a button label"),
    "input": _words("a button"),
    "select": _words("a button"),
    "textarea": _words("a button"),
    "label": _words("label button"),
    "form": _words("form"),
    "main": _words("main article aside nav"),
}
SCOPES = _words("button caption foreignobject html object table td template th")


def misplaced(tag: str, around: Sequence[str]) -> str:
    """Why an element can't stand where it does, given what is `around` it from the inside out; empty: it can."""
    if tag not in KNOWN and "-" not in tag:
        return f"<{tag}> is no element of HTML"
    parent = around[0] if around else ""
    if parent in CHILDREN and tag not in CHILDREN[parent] and tag not in ANYWHERE:
        return f"<{tag}> stands in <{parent}>"
    if tag in PARENTS and parent not in PARENTS[tag]:
        return f"<{tag}> stands in <{parent}>" if parent else f"<{tag}> stands in nothing"
    if tag in BLOCKS and (parent in PHRASES or "p" in _scope(around)):
        return f"<{tag}> stands in <{'p' if 'p' in _scope(around) else parent}>"
    outer = next((one for one in around if one in ALONE.get(tag, ())), "")
    return f"<{tag}> stands in <{outer}>" if outer else ""


def _scope(around: Sequence[str]) -> Sequence[str]:
    """As far out as an open paragraph would still be ended."""
    end = next((at for at, one in enumerate(around) if one in SCOPES), len(around))
    return around[:end]
