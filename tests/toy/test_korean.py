"""Korean morphology against hand-written forms, and laws of the jamo."""

import pytest

from toy_language.hangul import (
    FIRST_SYLLABLE,
    LAST_SYLLABLE,
    join_syllable,
    split_syllable,
)
from toy_language.korean import (
    attach,
    final_consonant,
    honorific,
    particle,
)
from toy_language.romanization import read_number, romanize_korean


def test_every_syllable_comes_apart_and_together():
    for code in range(FIRST_SYLLABLE, LAST_SYLLABLE + 1):
        assert join_syllable(*split_syllable(chr(code))) == chr(code)


@pytest.mark.parametrize("bad", ["", "a", "ㄱ", "가나", "5"])
def test_only_one_syllable_is_split(bad):
    with pytest.raises(ValueError, match="single character"):
        split_syllable(bad)


def test_letters_stand_in_their_places():
    with pytest.raises(ValueError, match="ㅏ"):
        join_syllable("ㅏ", "ㄱ")
    with pytest.raises(ValueError, match="final|nor empty"):
        join_syllable("ㄱ", "ㅏ", "ㄸ")


def test_final_consonant_needs_hangul():
    assert final_consonant("강") == "ㅇ"
    assert final_consonant("개") == ""
    assert final_consonant("값") == "ㅄ"
    with pytest.raises(ValueError, match="Hangul"):
        final_consonant("5")


PARTICLES = """
고양이는 개는 강은 곰은 물은 늑대가 집이 길이 소년이 사과를 책을 연필을
편지를 개와 곰과 물과 선생님과 학교로 시장으로 지하철로 연필로 펜으로
서울로 부엌으로 길로 숲으로 친구에게 곰에게 학교에서 강에
"""
NAMES = ["에게", "에서", "으로", "로", "은", "는", "이", "가", "을", "를",
         "과", "와", "에"]  # fmt: skip
OTHER_FORM = dict(zip("은는이가을를과와", "는은가이를을와과", strict=True))
OTHER_FORM |= {"으로": "로", "로": "으로"}


@pytest.mark.parametrize("written", PARTICLES.split())
def test_particle_follows_the_final_consonant(written):
    name = next(n for n in NAMES if written.endswith(n))
    noun = written.removesuffix(name)
    assert noun + particle(noun, name) == written
    assert noun + particle(noun, OTHER_FORM.get(name, name)) == written


# stem, class, then: 았 아 은 을 는다 습니다 (and 는, 니 below)
FORMS = """
가 - 갔 가 간 갈 간다 갑니다
먹 - 먹었 먹어 먹은 먹을 먹는다 먹습니다
자 - 잤 자 잔 잘 잔다 잡니다
보 - 봤 봐 본 볼 본다 봅니다
오 - 왔 와 온 올 온다 옵니다
주 - 줬 줘 준 줄 준다 줍니다
배우 - 배웠 배워 배운 배울 배운다 배웁니다
마시 - 마셨 마셔 마신 마실 마신다 마십니다
보내 - 보냈 보내 보낸 보낼 보낸다 보냅니다
건너 - 건넜 건너 건넌 건널 건넌다 건넙니다
서 - 섰 서 선 설 선다 섭니다
세 - 셌 세 센 셀 센다 셉니다
켜 - 켰 켜 켠 켤 켠다 켭니다
되 - 됐 돼 된 될 된다 됩니다
쉬 - 쉬었 쉬어 쉰 쉴 쉰다 쉽니다
쫓 - 쫓았 쫓아 쫓은 쫓을 쫓는다 쫓습니다
읽 - 읽었 읽어 읽은 읽을 읽는다 읽습니다
찾 - 찾았 찾아 찾은 찾을 찾는다 찾습니다
않 - 않았 않아 않은 않을 않는다 않습니다
얕 - 얕았 얕아 얕은 얕을 얕는다 얕습니다
쓰 - 썼 써 쓴 쓸 쓴다 씁니다
크 - 컸 커 큰 클 큰다 큽니다
바쁘 - 바빴 바빠 바쁜 바쁠 바쁜다 바쁩니다
슬프 - 슬펐 슬퍼 슬픈 슬플 슬픈다 슬픕니다
배고프 - 배고팠 배고파 배고픈 배고플 배고픈다 배고픕니다
부르 르 불렀 불러 부른 부를 부른다 부릅니다
오르 르 올랐 올라 오른 오를 오른다 오릅니다
빠르 르 빨랐 빨라 빠른 빠를 빠른다 빠릅니다
게으르 르 게을렀 게을러 게으른 게으를 게으른다 게으릅니다
듣 ㄷ 들었 들어 들은 들을 듣는다 듣습니다
걷 ㄷ 걸었 걸어 걸은 걸을 걷는다 걷습니다
닫 - 닫았 닫아 닫은 닫을 닫는다 닫습니다
돕 ㅂ 도왔 도와 도운 도울 돕는다 돕습니다
무겁 ㅂ 무거웠 무거워 무거운 무거울 무겁는다 무겁습니다
아름답 ㅂ 아름다웠 아름다워 아름다운 아름다울 아름답는다 아름답습니다
쉽 ㅂ 쉬웠 쉬워 쉬운 쉬울 쉽는다 쉽습니다
잡 - 잡았 잡아 잡은 잡을 잡는다 잡습니다
짓 ㅅ 지었 지어 지은 지을 짓는다 짓습니다
웃 - 웃었 웃어 웃은 웃을 웃는다 웃습니다
만들 - 만들었 만들어 만든 만들 만든다 만듭니다
울 - 울었 울어 운 울 운다 웁니다
팔 - 팔았 팔아 판 팔 판다 팝니다
길 - 길었 길어 긴 길 긴다 깁니다
빨갛 ㅎ 빨갰 빨개 빨간 빨갈 빨갛는다 빨갛습니다
하얗 ㅎ 하얬 하얘 하얀 하얄 하얗는다 하얗습니다
좋 - 좋았 좋아 좋은 좋을 좋는다 좋습니다
하 - 했 해 한 할 한다 합니다
공부하 - 공부했 공부해 공부한 공부할 공부한다 공부합니다
피곤하 - 피곤했 피곤해 피곤한 피곤할 피곤한다 피곤합니다
"""


@pytest.mark.parametrize(
    "row", FORMS.strip().split("\n"), ids=lambda row: row.split()[0]
)
def test_conjugation(row):
    stem, irregular, *expected = row.split()
    irregular = irregular.strip("-")
    endings = ("았", "아", "은", "을", "는다", "습니다")
    made = [
        "".join(part.lstrip("+") for part in attach(stem, ending, irregular))
        for ending in endings
    ]
    assert made == expected


def written(tokens):
    """Print tokens as one word."""
    return "".join(token.removeprefix("+") for token in tokens)


# stem, class, then: 아서 아요 아라 아야 을까 으면 으려고 겠 자 는 니
MORE_FORMS = """
가 - 가서 가요 가라 가야 갈까 가면 가려고 가겠 가자 가는 가니;
오 - 와서 와요 와라 와야 올까 오면 오려고 오겠 오자 오는 오니;
먹 - 먹어서 먹어요 먹어라 먹어야 먹을까 먹으면 먹으려고 먹겠 먹자 먹는 먹니;
읽 - 읽어서 읽어요 읽어라 읽어야 읽을까 읽으면 읽으려고 읽겠 읽자 읽는 읽니;
앉 - 앉아서 앉아요 앉아라 앉아야 앉을까 앉으면 앉으려고 앉겠 앉자 앉는 앉니;
만들 - 만들어서 만들어요 만들어라 만들어야 만들까 만들면 만들려고 만들겠
    만들자 만드는 만드니;
살 - 살아서 살아요 살아라 살아야 살까 살면 살려고 살겠 살자 사는 사니;
열 - 열어서 열어요 열어라 열어야 열까 열면 열려고 열겠 열자 여는 여니;
쓰 - 써서 써요 써라 써야 쓸까 쓰면 쓰려고 쓰겠 쓰자 쓰는 쓰니;
부르 르 불러서 불러요 불러라 불러야 부를까 부르면 부르려고 부르겠 부르자
    부르는 부르니;
고르 르 골라서 골라요 골라라 골라야 고를까 고르면 고르려고 고르겠 고르자
    고르는 고르니;
듣 ㄷ 들어서 들어요 들어라 들어야 들을까 들으면 들으려고 듣겠 듣자 듣는 듣니;
걷 ㄷ 걸어서 걸어요 걸어라 걸어야 걸을까 걸으면 걸으려고 걷겠 걷자 걷는 걷니;
닫 - 닫아서 닫아요 닫아라 닫아야 닫을까 닫으면 닫으려고 닫겠 닫자 닫는 닫니;
돕 ㅂ 도와서 도와요 도와라 도와야 도울까 도우면 도우려고 돕겠 돕자 돕는 돕니;
춥 ㅂ 추워서 추워요 추워라 추워야 추울까 추우면 추우려고 춥겠 춥자 춥는 춥니;
짓 ㅅ 지어서 지어요 지어라 지어야 지을까 지으면 지으려고 짓겠 짓자 짓는 짓니;
씻 - 씻어서 씻어요 씻어라 씻어야 씻을까 씻으면 씻으려고 씻겠 씻자 씻는 씻니;
까맣 ㅎ 까매서 까매요 까매라 까매야 까말까 까마면 까마려고 까맣겠 까맣자
    까맣는 까맣니;
하얗 ㅎ 하얘서 하얘요 하얘라 하얘야 하얄까 하야면 하야려고 하얗겠 하얗자
    하얗는 하얗니;
마시 - 마셔서 마셔요 마셔라 마셔야 마실까 마시면 마시려고 마시겠 마시자 마시는
    마시니;
기다리 - 기다려서 기다려요 기다려라 기다려야 기다릴까 기다리면 기다리려고
    기다리겠 기다리자 기다리는 기다리니;
도와주 - 도와줘서 도와줘요 도와줘라 도와줘야 도와줄까 도와주면 도와주려고
    도와주겠 도와주자 도와주는 도와주니;
배우 - 배워서 배워요 배워라 배워야 배울까 배우면 배우려고 배우겠 배우자 배우는
    배우니;
공부하 - 공부해서 공부해요 공부해라 공부해야 공부할까 공부하면 공부하려고
    공부하겠 공부하자 공부하는 공부하니;
아니 - 아니어서 아니에요 아니어라 아니어야 아닐까 아니면 아니려고 아니겠
    아니자 아니는 아니니;
있 - 있어서 있어요 있어라 있어야 있을까 있으면 있으려고 있겠 있자 있는 있니
"""
MORE_ENDINGS = ("아서", "아요", "아라", "아야", "을까", "으면", "으려고", "겠",
                "자", "는", "니")  # fmt: skip


@pytest.mark.parametrize(
    "row", MORE_FORMS.split(";"), ids=lambda row: row.split()[0]
)
def test_more_endings(row):
    stem, irregular, *expected = row.split()
    irregular = irregular.strip("-")
    made = [written(attach(stem, end, irregular)) for end in MORE_ENDINGS]
    assert made == expected


# stem, class, then with -(으)시-: 았 는다 습니다 아요 은 을 겠 니
HONORED = """
가 - 가셨 가신다 가십니다 가세요 가신 가실 가시겠 가시니;
읽 - 읽으셨 읽으신다 읽으십니다 읽으세요 읽으신 읽으실 읽으시겠 읽으시니;
앉 - 앉으셨 앉으신다 앉으십니다 앉으세요 앉으신 앉으실 앉으시겠 앉으시니;
있 - 있으셨 있으신다 있으십니다 있으세요 있으신 있으실 있으시겠 있으시니;
살 - 사셨 사신다 사십니다 사세요 사신 사실 사시겠 사시니;
만들 - 만드셨 만드신다 만드십니다 만드세요 만드신 만드실 만드시겠 만드시니;
돕 ㅂ 도우셨 도우신다 도우십니다 도우세요 도우신 도우실 도우시겠 도우시니;
외롭 ㅂ 외로우셨 외로우신다 외로우십니다 외로우세요 외로우신 외로우실
    외로우시겠 외로우시니;
걷 ㄷ 걸으셨 걸으신다 걸으십니다 걸으세요 걸으신 걸으실 걸으시겠 걸으시니;
짓 ㅅ 지으셨 지으신다 지으십니다 지으세요 지으신 지으실 지으시겠 지으시니;
웃 - 웃으셨 웃으신다 웃으십니다 웃으세요 웃으신 웃으실 웃으시겠 웃으시니;
부르 르 부르셨 부르신다 부르십니다 부르세요 부르신 부르실 부르시겠 부르시니;
크 - 크셨 크신다 크십니다 크세요 크신 크실 크시겠 크시니;
좋아하 - 좋아하셨 좋아하신다 좋아하십니다 좋아하세요 좋아하신 좋아하실
    좋아하시겠 좋아하시니
"""
HONORED_ENDINGS = ("았", "는다", "습니다", "아요", "은", "을", "겠", "니")


@pytest.mark.parametrize(
    "row", HONORED.split(";"), ids=lambda row: row.split()[0]
)
def test_honorific(row):
    stem, irregular, *expected = row.split()
    *before, last = honorific(stem, irregular.strip("-"))
    made = [written([*before, *attach(last, e)]) for e in HONORED_ENDINGS]
    assert made == expected


def test_tokens_are_surface_morphemes():
    assert attach("먹", "았") == ("먹", "+었")
    assert attach("가", "았") == ("갔",)
    assert attach("공부하", "는다") == ("공부", "+한", "+다")
    assert attach("먹", "는다") == ("먹", "+는", "+다")
    assert attach("공부하", "") == ("공부", "+하")
    assert attach("먹", "을까") == ("먹", "+을", "+까")
    assert attach("먹", "아라") == ("먹", "+어라")
    assert attach("공부하", "아라") == ("공부", "+해", "+라")
    assert attach("가", "아도") == ("가", "+도")
    assert attach("가", "겠") == ("가", "+겠")
    assert honorific("공부하") == ("공부", "+하", "+시")
    assert attach("+으시", "는다") == ("+으신", "+다")


def test_unknown_ending_or_class_is_refused():
    with pytest.raises(ValueError, match="ending '더'"):
        attach("가", "더")
    with pytest.raises(ValueError, match="irregular 'ㅈ'"):
        attach("가", "았", "ㅈ")


# The first rows are the examples of the official rules of 2000.
ROMANIZED = """
백마 baengma, 종로 jongno, 왕십리 wangsimni, 별내 byeollae,
신라 silla, 해돋이 haedoji, 같이 gachi, 좋고 joko, 놓다 nota, 잡다 japda,
압구정 apgujeong, 낙성대 nakseongdae, 합정 hapjeong, 팔당 paldang, 한밭 hanbat,
구미 gumi, 영동 yeongdong, 옥천 okcheon, 칠곡 chilgok, 임실 imsil, 울릉 ulleung,
먹는다 meongneunda, 갑니다 gamnida, 읽었다 ilgeotda, 읽는다 ingneunda,
읽고 ilgo, 않았다 anatda, 않고 anko, 않는다 anneunda, 좋아한다 joahanda,
싫어 sireo, 넓었다 neolbeotda, 앉아 anja, 없어 eopseo, 잃는 illeun, 꽃이 kkochi,
숲에 supe, 부엌에 bueoke, 있었다 isseotda, 학교 hakgyo, 고양이는 goyangineun,
독립 dongnip, 서울 seoul, 여덟 yeodeol, 값 gap,
못했다 motaetda, 못하고 motago, 복잡해서 bokjapaeseo, 먹히다 meokida,
도착했다 dochakaetda, 약한 yakan, 시작할 sijakal, 행복합니다 haengbokamnida,
깨끗한 kkaekkeutan, 따뜻했지만 ttatteutaetjiman, 똑똑하다 ttokttokada,
급히 geupi, 닫혔다 dachyeotda, 맞히다 machida, 앉혀 anchyeo, 밝혔다 balkyeotda,
넓히다 neolpida, 칠하다 chilhada, 강하다 ganghada, 좋아하시니 joahasini,
묵호 mukho, 집현전 jiphyeonjeon, 국화가 gukhwaga, 입학 iphak,
나뭇잎 namunnip, 나뭇잎을 namunnipeul, 가셨다 gasyeotda,
읽으십니다 ilgeusimnida,
끝났다 kkeunnatda, 맛있는 masinneun, 싫어한다 sireohanda, 작년에 jangnyeone,
박물관에서 bangmulgwaneseo, 목요일 mogyoil, 닭이 dalgi, 부엌 bueok,
옆에 yeope
"""


@pytest.mark.parametrize("pair", ROMANIZED.split(","))
def test_romanization(pair):
    korean, latin = pair.split()
    assert romanize_korean(korean) == latin


def test_romanization_of_numbers_and_other_characters():
    assert romanize_korean("5월 10일에!") == "owol sibire!"
    assert romanize_korean("6월, 10월, 16월") == "yuwol, siwol, sibyugwol"
    assert read_number(25) == "이십오"
    with pytest.raises(ValueError, match="0 to 99"):
        read_number(100)
