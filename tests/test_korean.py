"""Korean morphology against hand-written forms, and laws of the jamo."""

import pytest

from transformer_lib.korean import (
    FIRST_SYLLABLE,
    LAST_SYLLABLE,
    attach,
    final_consonant,
    join_syllable,
    particle,
    split_syllable,
)
from transformer_lib.romanization import read_number, romanize_korean


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


def test_endings_that_only_drop_a_final_l():
    assert attach("만들", "는") == ("만드", "+는")
    assert attach("만들", "니") == ("만드", "+니")
    assert attach("먹", "는") == ("먹", "+는")
    assert attach("깊", "니") == ("깊", "+니")


def test_tokens_are_surface_morphemes():
    assert attach("먹", "았") == ("먹", "+었")
    assert attach("가", "았") == ("갔",)
    assert attach("공부하", "는다") == ("공부", "+한", "+다")
    assert attach("먹", "는다") == ("먹", "+는", "+다")
    assert attach("공부하", "") == ("공부", "+하")


def test_unknown_ending_or_class_is_refused():
    with pytest.raises(ValueError, match="ending '겠'"):
        attach("가", "겠")
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
독립 dongnip, 서울 seoul, 여덟 yeodeol, 값 gap
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
