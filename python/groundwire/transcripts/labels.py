"""
Words that stand before a colon and name no speaker. Own list.

As `speaker_key` writes them. "Subject", "Participant", "Question", "Answer", "Q"
and "A" are missing on purpose: in interviews they speak.
"""

__all__ = ["CONNECTIVES", "LABELS"]

_ENGLISH = """
note, notes, nb, n.b, warning, caution, important, attention, tip, hint, todo, fixme, example, examples, e.g, i.e,
for example, for instance, p.s, ps, update, edit, correction, disclaimer, source, sources, reference, references, see,
see also, figure, fig, table, date, time, place, location, venue, duration, length, recorded, recording, transcript,
transcribed by, transcription, title, topic, topics, agenda, attendees, participants, speakers, present, in attendance,
apologies, absent, summary, abstract, keywords, chapter, section, article, part, url, link, links, http, https, www,
email, e-mail, tel, phone, fax, to, from, cc, bcc, re, problem, solution, result, results, conclusion, background,
objective, remember
"""
_OTHERS = """
hinweis, anmerkung, achtung, wichtig, beispiel, zum beispiel, z.b, d.h, quelle, quellen, datum, ort, zeit, uhrzeit,
thema, themen, teilnehmer, anwesend, tagesordnung, zusammenfassung, beginn, ende, siehe, abschnitt, artikel,
remarque, exemple, par exemple, nota, p.ex, lieu, heure, sujet, résumé, ordre du jour, ejemplo, por ejemplo,
fecha, lugar, hora, asunto, tema, resumen, aviso, примечание, внимание, например, пример, дата, время, место, тема,
повестка дня, источник, 注, 注意, 备注, 備註, 例, 例如, 比如, 时间, 時間, 日期, 地点, 地點, 主题, 主題, 摘要, 来源,
來源, 例えば, 日時, 場所, 議題, 備考, 出典, 참고, 주의, 예, 날짜, 시간, 장소, 주제, ملاحظة, مثال, التاريخ, الوقت, المكان
"""
# Words in names that begin with a small letter.
_CONNECTIVES = """
a al an and auf bei bin da das de del della den der des di do dos du e ed ein eine el en et für h c i ibn im in la le
les los of och og on the to und van vom von y z zu zum zur и з фон де
"""

LABELS = frozenset(" ".join(_ENGLISH.split()).split(", ") + " ".join(_OTHERS.split()).split(", "))
CONNECTIVES = frozenset(_CONNECTIVES.split())
