import { expect, test } from 'vitest'
import { readMessage } from './read-message.ts'

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n')
const plain = (body: string) => `Content-Type: text/plain; charset=utf-8\n\n${body}`
const html = (body: string) => `Content-Type: text/html; charset=utf-8\n\n${body}`
const both = (text: string, markup: string) =>
  `Content-Type: multipart/alternative; boundary=b\n\n--b\n${plain(text)}\n--b\n${html(markup)}\n--b--\n`
const read = (body: string | Buffer, headers = '') =>
  readMessage(
    Buffer.concat([
      Buffer.from(
        crlf(
          `From: Ada <Ada@Example.com>\nTo: hello@agency.example\nMessage-ID: <1@example.com>\n${headers}`,
        ),
      ),
      typeof body === 'string' ? Buffer.from(crlf(body)) : body,
    ]),
  )

const ours = '> Hello Ada,\n>\n> Yes, we can.\n>\n> Anna'
const YES = 'Yes, please!\n\nAda'

/** A plain reply that says YES, with these words before the quoted message. */
const reply = (words: string, quoted = `\n\n${ours}`) => plain(`${YES}\n\n${words}${quoted}\n`)
const outlook = (...headers: string[]) => reply(headers.join('\n'), '\n\nHello Ada,\n\nYes, we can.')

/** Real forms of a reply that says YES, with a quoted message. */
const replies: Record<string, string> = {
  'Gmail, in English': reply('On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <hello@agency.example> wrote:'),
  'Gmail, wrapped': reply('On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <hello@agency.example>\nwrote:'),
  'Gmail, in German': reply('Am Mo., 2. März 2026 um 10:01 Uhr schrieb Anna <hello@agency.example>:'),
  'Gmail, in French': reply('Le lun. 2 mars 2026 à 10:01, Anna <hello@agency.example> a écrit :'),
  'Gmail, in Spanish': reply('El lun, 2 mar 2026 a las 10:01, Anna (<hello@agency.example>) escribió:'),
  'Gmail, in Italian': reply(
    'Il giorno lun 2 mar 2026 alle ore 10:01 Anna <hello@agency.example> ha scritto:',
  ),
  'Gmail, in Dutch': reply('Op ma 2 mrt 2026 om 10:01 schreef Anna <hello@agency.example>:'),
  'Gmail, in Portuguese': reply('Em seg., 2 de mar. de 2026 às 10:01, Anna <hello@agency.example> escreveu:'),
  'Gmail, in Japanese': reply('2026年3月2日(月) 10:01 Anna <hello@agency.example>:'),
  'Gmail, in Polish': reply('pon., 2 mar 2026 o 10:01 Anna <hello@agency.example> napisał(a):'),
  'Apple Mail': reply('> On Mar 2, 2026, at 10:01 AM, Anna <hello@agency.example> wrote:', `\n> \n${ours}`),
  iPhone: reply(
    'Sent from my iPhone\n\n> On Mar 2, 2026, at 10:01, Anna <hello@agency.example> wrote:',
    `\n> \n${ours}`,
  ),
  'Outlook, in English': outlook(
    ...['From: Anna at Agency <hello@agency.example>', 'Sent: Monday, March 2, 2026 10:01 AM'],
    ...['To: Ada <ada@example.com>', 'Subject: Your request'],
  ),
  'Outlook, with a line': outlook(
    ...['________________________________', 'From: Anna <hello@agency.example>'],
    ...['Sent: Monday, March 2, 2026 10:01', 'To: Ada', 'Subject: Re: Your request'],
  ),
  'Outlook, in German': outlook(
    ...['Von: Anna <hello@agency.example>', 'Gesendet: Montag, 2. März 2026 10:01'],
    ...['An: Ada', 'Betreff: AW: Your request'],
  ),
  'Outlook, in French': outlook(
    ...['De : Anna <hello@agency.example>', 'Envoyé : lundi 2 mars 2026 10:01'],
    ...['À : Ada', 'Objet : Your request'],
  ),
  'an old Outlook': outlook(
    ...[
      '-----Original Message-----',
      'From: Anna [mailto:hello@agency.example]',
      'Sent: Monday, March 2, 2026',
    ],
  ),
  'an old Outlook, in German': outlook('-----Ursprüngliche Nachricht-----', 'Von: Anna', 'Gesendet: Montag'),
  Thunderbird: reply('On 3/2/26 10:01, Anna at Agency wrote:', `\n${ours}`),
  'Thunderbird, in German': reply('Am 02.03.26 um 10:01 schrieb Anna at Agency:', `\n${ours}`),
  Yahoo: reply(
    '    On Monday, March 2, 2026 at 10:01:02 AM CST, Anna <hello@agency.example> wrote:  \n \n Hello Ada,',
    '',
  ),
  'only quote marks': reply(ours, ''),
  'no quote': plain(`${YES}\n`),
  'quoted-printable': `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nYes, ple=\nase!\n\nAda\n\n> Hello =C3=A4=\n`,
  base64: `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`${YES}\n\n> Hello`).toString('base64')}\n`,
  'HTML only': html('<p>Yes, please!</p><p>Ada</p>'),
  'HTML of Gmail': html(
    '<div dir="ltr">Yes, please!<br><br>Ada</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Mar 2, 2026 at 10:01 AM Anna &lt;<a href="mailto:hello@agency.example">hello@agency.example</a>&gt; wrote:<br></div><blockquote>Hello Ada,<br>Yes, we can.</blockquote></div>',
  ),
  'HTML of Outlook': html(
    '<html><head><style>p {margin:0}</style></head><body><div>Yes, please!</div><div><br></div><div>Ada</div><hr><div id="divRplyFwdMsg"><b>From:</b> Anna &lt;hello@agency.example&gt;<br><b>Sent:</b> Monday, March 2, 2026 10:01<br><b>To:</b> Ada<br><b>Subject:</b> Re</div><div>Hello Ada,</div></body></html>',
  ),
  'text and HTML': both(`${YES}\n\n${ours}`, '<p>Yes, please!</p>'),
  'a signature with a logo': `Content-Type: multipart/related; boundary=r\n\n--r\n${html('<p>Yes, please!</p><p>Ada</p><img src="cid:logo">')}\n--r\nContent-Type: image/png; name=logo.png\nContent-ID: <logo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBORw==\n--r--\n`,
}

test.each(Object.entries(replies))(
  'of a reply by %s, what the visitor wrote is separate from the quote',
  async (_name, body) => {
    const { written } = await read(body)
    expect(written.replace(/\s*Sent from my iPhone$/, '')).toBe(YES)
  },
)

test('text in windows-1252 is read', async () => {
  const body = Buffer.from(
    'Content-Type: text/plain; charset=windows-1252\r\n\r\nSch\xf6n \x96 50 \x80',
    'latin1',
  )
  expect((await read(body)).written).toBe('Schön – 50 €')
})

test('an answer between or below the quoted lines stays whole', async () => {
  const body = '> Which day suits you?\nMonday.\n> At what time?\nAt ten.'
  expect(await read(plain(body))).toMatchObject({ written: body, quoted: '' })
})
