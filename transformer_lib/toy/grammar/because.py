"""The rule for "it": which noun a because-clause is about.

"the dog did not chase the wolf because it was too fast": the wolf was.
"... because it was too slow": the dog was. Korean names the one that is
meant, or makes it the topic, so a translator has to work out which it is.

RULE says what explains what. It is true to the world, so it depends on all
the words at once: a big animal is not chased (object) but does not fit into
a cave (subject); a tired one does not cross the river (subject) but is
carried over it (object); what is weak cannot cross a river (subject), but a
bridge may be too weak to be crossed (object). How much (very, so, too) never
matters. Chapters 15 and 17 use it.
"""

from functools import cache

__all__ = ["ALSO", "NEVER", "RULE", "hinders", "possible", "rows"]

# verb; its subjects; its objects
#   - what explains that it did not happen: by the subject; by the object
#   + what explains that it happened: by the subject; by the object
RULE = """
chase; hunter; land
  - tired sick sleepy slow weak small lazy; big fast strong dangerous
  + hungry angry brave; slow weak small
catch; hunter; prey hunter
  - slow tired sick weak small sleepy lazy; fast strong big smart
  + fast strong hungry smart; slow tired sick weak small sleepy
follow; land; land
  - tired sick sleepy slow lazy; fast dangerous strong big angry
  + hungry lonely; kind smart
help; land; land
  - sick lazy sleepy; strong dangerous big
  + strong smart brave; tired sick weak small slow hungry old
find; land; prey puppy cat thing
  - sleepy lazy sick tired; small
  + smart; big white red
see; land; prey puppy cat thing
  - sleepy tired sick; small
  + smart; big white red slow
carry; horse elephant bear; container made furniture
  - weak tired sick small lazy; heavy big dirty
  + strong big; light small
carry; horse elephant bear dog wolf lion; prey puppy cat
  - weak tired sick small; big heavy
  + strong big; tired sick weak small sleepy slow
defeat; hunter; hunter
  - weak tired sick small slow; strong big fast smart
  + strong big fast smart brave; weak tired sick small slow old
fight; hunter; hunter
  - tired sick weak small sleepy; big strong dangerous angry
  + brave strong hungry; dangerous weak
escape from; land; hunter
  - slow tired sick weak; fast strong smart
  + fast smart brave; slow tired sick weak sleepy old
wait for; land; land
  - hungry angry fast; slow lazy
  + kind; slow tired sick small sleepy
wake; dog cat puppy; land
  - kind lazy; tired sick dangerous big
  + hungry lonely sick; lazy
eat; hunter; prey
  - sick tired sleepy small weak; big fast strong dangerous
  + hungry big strong; small weak slow
eat; land; food
  - sick sleepy tired; hot cold salty spicy dirty bad big
  + hungry; sweet delicious warm small
drink; land; drink
  - sick sleepy tired; hot cold dirty
  + thirsty hungry tired; sweet cool clean warm
cross; land; street
  - tired sick slow weak small sleepy lazy; wide busy dangerous dark long
  + brave fast strong smart hungry; narrow safe quiet short
cross; land; water
  - tired sick weak small lazy sleepy; wide deep dangerous cold dirty
  + brave strong big hungry; narrow shallow safe warm
cross; land road&vehicle; bridge
  - heavy big tired sick wide; weak narrow long high dangerous old
  + small light brave; strong safe short wide
climb; climber; tree
  - big heavy tired sick weak sleepy lazy; high dangerous
  + small light strong brave hungry; low safe
climb; climber; mountain hill
  - tired sick weak small lazy sleepy old; high dangerous cold
  + brave strong healthy; low safe beautiful
enter; land; cave house room
  - big tired; dark small narrow dangerous dirty cold
  + small brave tired hungry sick sleepy; big warm safe quiet dark
enter; land; forest
  - tired sick sleepy lazy; dark dangerous deep cold
  + brave hungry angry; safe quiet beautiful
hide in; land; cave house box room forest
  - big brave strong; small bright loud dirty cold
  + small weak sick tired; big dark deep quiet safe
fit in; fits; container
  - big long wide thick; small narrow short
  + small short thin; big wide deep
overtake; road&vehicle; road&vehicle
  - slow old heavy; fast long big wide
  + fast strong small light; slow old long heavy
push; elephant bear horse cow truck; container made furniture road&vehicle
  - weak tired sick small; heavy big
  + strong big; light small slow
pull; elephant horse cow dog truck; container made bicycle road&vehicle
  - weak tired sick small slow; heavy big long
  + strong big; light small slow old weak
"""

# Nouns that an adjective may describe in a because-clause only.
ALSO = {
    "big": "animal", "small": "animal", "sleepy": "animal",
    "heavy": "elephant bear horse cow lion pig animal truck bus car wolf",
    "light": "cat rabbit squirrel monkey fox dog animal puppy car bicycle",
    "strong": "bridge vehicle", "weak": "bridge vehicle",
    "wide": "bag box book picture hat truck bus car container bridge",
    "narrow": "box bag", "deep": "box bag room", "thin": "letter picture",
    "thick": "letter",
    "long": "umbrella key truck bus", "low": "tree", "busy": "street",
    "high": "tree", "dark": "box", "cold": "water",
    "old": "vehicle bridge animal", "dangerous": "animal", "safe": "tree hill "
    "mountain cave room house", "quiet": "cave", "bright": "cave",
    "warm": "water cave room house", "dirty": "water food box made",
    "cool": "water", "hot": "food", "kind": "animal",
    "brave": "animal", "lonely": "animal", "beautiful": "hill",
}  # fmt: skip
# Too big to be small, and too small to be big (or heavy, or strong).
NEVER = {
    "small": "elephant giraffe whale bear cow horse lion bus truck",
    "light": "elephant bear cow horse lion",
    "weak": "truck bus",
    "big": "mouse squirrel frog ant bee butterfly spider rabbit puppy chicken "
    "duck bird key pencil pen ring letter cup apple",
    "heavy": "mouse squirrel frog rabbit cat puppy",
    "strong": "mouse frog squirrel rabbit chicken duck puppy sheep",
    "dangerous": "mouse rabbit squirrel chicken duck sheep puppy turtle deer "
    "cat penguin frog goat cow pig",
    "fast": "turtle pig cow elephant penguin",
    "slow": "horse deer computer",
}  # fmt: skip

# What is too big for whom to catch, to eat or to carry.
TOO_BIG = {
    "cat": "cow pig sheep goat deer", "fox": "cow pig sheep goat deer",
    "dog": "cow pig deer", "wolf": "cow", "horse": "cow", "bear": "cow",
}  # fmt: skip
HUNTING = ("catch", "eat", "carry")

# Reasons that leave no choice: "did not" is then -지 못하다 ...
HINDRANCES = set(
    "sick slow weak small big fast strong heavy wide narrow deep long high "
    "old thick short smart expensive difficult".split()
)
# ... except after verbs that say what somebody would not do.
CHOSEN = {"help", "wait for", "wake", "fit in", "hide in"}
# Where "did not" always means that it was not managed.
FAILED = {"catch", "defeat", "escape from", "overtake", "find", "see"}


def possible(verb: str, subject: str, noun: str) -> bool:
    """Say whether this can happen: no fox catches a cow."""
    return not (verb in HUNTING and noun in TOO_BIG.get(subject, "").split())


def hinders(verb: str, adjective: str) -> bool:
    """Say whether "did not" means "could not": -지 못하다, not -지 않다."""
    return verb in FAILED or (adjective in HINDRANCES and verb not in CHOSEN)


@cache
def rows(
    rule: str = RULE,
) -> tuple[tuple[str, list[str], list[str], dict], ...]:
    """Read a rule: verb, kinds of subjects and objects, adjectives.

    The last part maps (happened, role) to a list of adjectives.
    """
    lines = rule.strip().split("\n")
    found = []
    for head, no, yes in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        verb, subjects, objects = head.split("; ")
        explains = {}
        for happened, line in ((False, no), (True, yes)):
            one, other = line.strip()[2:].split("; ")
            explains[happened, "subject"] = one.split()
            explains[happened, "object"] = other.split()
        found.append((verb, subjects.split(), objects.split(), explains))
    return tuple(found)
