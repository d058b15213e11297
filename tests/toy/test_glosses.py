"""Glosses by hand, and every word of the lexicon with every ending."""

import pytest

from toy_language.grammar.glosses import gloss_tokens
from toy_language.grammar.lexicon import load_lexicon
from toy_language.korean import ENDINGS, attach, honorific

# Korean tokens = glosses. Most lines hold a token with two meanings.
GLOSSED = """
개 +는 산 +에 간 +다 +. = dog TOP mountain LOC go.PRS DECL .
내 +가 산 책 +은 두껍 +다 = I NOM buy.PST.ADN book TOP thick DECL
산 근처 +에 곰 +이 있 +다 = mountain vicinity LOC bear NOM exist DECL
차 +는 뜨겁 +다 = tea TOP hot DECL
공 +을 차 +는 소년 = ball ACC kick PRS.ADN boy
모자 +를 썼 +다 = hat ACC wear.PST DECL
편지 +를 썼 +다 = letter ACC write.PST DECL
노래 +를 불렀 +다 = song ACC sing.PST DECL
개 +를 불렀 +다 = dog ACC call.PST DECL
음악 +을 들 +었 +다 = music ACC hear PST DECL
가방 +을 들 +었 +다 = bag ACC hold PST DECL
집 +을 지 +었 +다 = house ACC build PST DECL
미소 지 +었 +다 = smile make PST DECL
서울 +에 산 +다 = Seoul LOC live.PRS DECL
모자 +를 산 +다 = hat ACC buy.PRS DECL
영어 +를 한 +다 = English ACC speak.PRS DECL
축구 +를 한 +다 = soccer ACC play.PRS DECL
그 +를 안 +다 = he ACC know.PRS DECL
개 +를 안 +았 +다 = dog ACC hold PST DECL
상자 안 +에 = box inside LOC
가 +면 안 된 +다 = go if NEG become.PRS DECL
새 책 +과 새 +들 = new book COM bird PL
시 네 편 +과 네 시 = poem four CLF COM four o'clock
네 +가 아침 +을 먹 +었 +니 = you NOM breakfast ACC eat PST Q
오늘 아침 +에 비 +가 왔 +다 = today morning LOC rain NOM come.PST DECL
너 +는 몇 살 +이 +니 +? = you TOP some years.old COP Q ?
그 +는 배우 +다 = he TOP actor COP.DECL
잘 자 +고 잘 것 +이 +다 = well sleep and sleep.FUT thing COP DECL
키 +가 큰 왕 = height NOM big.ADN king
그 남자 +는 화 +가 났 +다 = that man TOP anger NOM arise.PST DECL
나 +는 남자 +다 = I TOP man COP.DECL
개구리 +는 초록색 +이 +고 = frog TOP green COP and
어머니 +는 의사 +가 아니 +다 = mother TOP doctor NOM not.be DECL
왕 +은 말씀 +하 +셨 +다 = king TOP speak do HON.PST DECL
할아버지 +, 개 +가 자 +요 = grandpa.VOC , dog NOM sleep POL
할머니 +는 주무 +시 +고 계 +시 +니 = grandmother TOP sleep HON PROG be HON Q
선생님 +께 꽃 +을 드렸 +다 = teacher DAT.HON flower ACC give.PST DECL
가 +고 싶 +어 한 +다 = go CVB want CVB do.PRS DECL
읽 +을 수 없 +다 = read FUT can not.exist DECL
문 +을 열 +지 마 +라 = door ACC open CVB PROH IMP
피곤 +하 +겠 +지만 = tired be FUT but
맛있 +는 사과 = delicious PRS.ADN apple
자 +고 있 +는 개 = sleep PROG be PRS.ADN dog
추우 +니까 자 +자 = cold because sleep PROP
초록색 +이 +라 +고 생각 +한 +다 = green COP DECL and think do.PRS DECL
개 +가 크 +다 +는 것 +을 안 +다 = dog NOM big DECL ADN thing ACC know.PRS DECL
소년 +이 웃 +을 +까 +? = boy NOM laugh FUT Q ?
"""


@pytest.mark.parametrize("line", GLOSSED.strip().split("\n"))
def test_by_hand(line):
    korean, english = line.split(" = ")
    assert " ".join(gloss_tokens(korean.split())) == english


def test_every_predicate_with_every_ending():
    for entry in load_lexicon():
        adnominal_only = not entry.korean.endswith("다")
        if entry.word_class not in ("verb", "give", "put", "adjective"):
            continue
        if adnominal_only or entry.get("conjugates") == "copula":
            continue
        *before, stem = entry.stem
        for ending in set(ENDINGS) - {"으시"}:
            plain = attach(stem, ending, entry.irregular)
            *others, last = honorific(stem, entry.irregular)
            honored = (*others, *attach(last, ending))
            for forms in (plain, honored):
                bound = ["+지만"] if ending in ("", "았", "겠") else []
                tokens = [*before, *forms, *bound]
                assert all(gloss_tokens(tokens)), tokens


def test_every_other_word_of_the_lexicon():
    for entry in load_lexicon():
        if not entry.korean.endswith("다") or entry.word_class == "noun":
            assert all(gloss_tokens(entry.korean.split())), entry


def test_a_foreign_token_is_refused():
    with pytest.raises(ValueError, match="'로봇'"):
        gloss_tokens("로봇 +은 크 +다 +.".split())
