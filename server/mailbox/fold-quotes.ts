// What mail programs write above a quoted message, in the languages of most of them. Each is tested on one line, or on two that
// belong together: some programs wrap the line.
const attributions = [
  /^(?:On|Op|Den|Il|El|Em|Le|Am|W dniu|Dne) .{6,200}(?:wrote|schreef.*|skrev.*|ha scritto|escribió|escreveu|a écrit|schrieb.*|napisał\(?a?\)?|napsal\(?a?\)?) ?:$/u,
  /^.{6,200}<[^<>@\s]+@[^<>\s]+>(?: \S{2,20}){0,3} ?:$/u,
  /^\d{4}[-/年.].{4,100}[:：]$/u,
]
// Longer lines take long to test.
const MAX_ATTRIBUTION = 1_000
// Outlook and others repeat the headers of the quoted message instead, often below a line.
const headers =
  /^[>*\s]*(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Sent|Gesendet|Envoyé|差出人|发件人)\s?\*?\s?[:：]\*?\s?\S/u
const secondHeader =
  /^[>*\s]*(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto|Assunto|Inviato|Data|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|日付|宛先|件名|发送时间|收件人|主题)\s?\*?\s?[:：]/u
const separator =
  /^(?:[-_]{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Weitergeleitete Nachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\s*[-_]{2,}|_{20,}|-{20,})$/iu
const quoted = /^\s?>/

/** Splits the text of a reply into what its sender wrote and the quoted message below it. The two together are the text. */
export function foldQuotes(text: string): { written: string; quoted: string } {
  const lines = text.split('\n')
  const start = lines.findIndex((_line, index) => beginsQuote(lines, index))
  const below = lines.slice(start)
  const written = lines.slice(0, start).join('\n').trim()
  // Somebody who writes below or between the quoted lines would lose everything.
  if (start < 0 || written === '' || hasAnswerBelow(below)) return { written: text.trim(), quoted: '' }
  return { written, quoted: below.join('\n').trim() }
}

function beginsQuote(lines: readonly string[], index: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(index, index + 3).map((each) => each.trim())
  if (separator.test(line)) return true
  if (headers.test(line) && (secondHeader.test(next) || secondHeader.test(third))) return true
  if ([line, `${line} ${next}`].some(isAttribution)) return true
  return quoted.test(line)
}

const isAttribution = (line: string) =>
  line.length < MAX_ATTRIBUTION && /[:：]$/u.test(line) && attributions.some((one) => one.test(line))

/** Whether text follows lines that are quoted with `>`: then the answer is below or between them. */
function hasAnswerBelow(lines: readonly string[]): boolean {
  const last = lines.findLastIndex((line) => quoted.test(line))
  const below = last < 0 ? [] : lines.slice(last + 1).map((line) => line.trim())
  const signature = below.findIndex((line) => /^(?:--|Sent from |Von meinem |Envoyé de )/.test(line))
  return below.slice(0, signature < 0 ? undefined : signature).some((line) => line !== '')
}
