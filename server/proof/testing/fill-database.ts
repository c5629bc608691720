import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { replyDueAt } from '#shared/promise-clock.ts'
import { openDatabase } from '../../database/sqlite.ts'
import { createLeadId } from '../../leads/lead-id.ts'
import { type Searchable, searchTextOf } from '../../leads/search/search-text.ts'
import { priorities } from '../../outbox/email.ts'
import { readCorpus } from '../../spam/samples.ts'
import { newDataDir } from './start-program.ts'

const split = (words: string) => words.split(' ')

/**
 * The parts of made-up names and addresses. As in a real customer list, some names are common, and
 * many share parts.
 */
const people = {
  firstNames: split(
    'Ana Anna Andrea Bill Brian Carla Carlos Chen Dana David Dwayne Elena Emma Fatima Frank George Grace Hannah Henry Ines Jack James Jane José Karen Kevin Laura Linda Luis Maria Mark Mary Michael Nora Oscar Patricia Robert Sara Thuy William',
  ),
  nameStarts: split(
    'Lind Berg Hol Stein Green Wood Black Rich Har John Ander Pet Nor East West Ash Brad Clay Dal Ed Fair Gar Hart Jack Kirk Lang Mar Nel Or Per',
  ),
  nameEnds: split(
    'berg man son field ton ley ford well wood er ard ing ström ez ski ini aud strand dale worth',
  ),
  domains: split(
    'mail.example post.example roofs.example bakery.example inbox.example letters.example web.example',
  ),
  trades: split('Roofing Bakery Dental Plumbing Landscaping Hvac Law Yoga Cleaning Grooming Cabinets Repair'),
}

const messages = readCorpus('').flatMap(({ isSpam, messages }) => (isSpam ? [] : messages))

/**
 * Creates a data directory with `count` leads, as if ten had come in each minute until now. Those
 * older than 30 days are answered.
 */
export async function fillDatabase(count: number) {
  const dataDir = newDataDir()
  await (await openDatabase(dataDir.path)).destroy()
  fill(join(dataDir.path, 'leads.db'), count)
  return dataDir
}

function fill(file: string, count: number) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('synchronous = off')
  for (const [name, words] of Object.entries({ ...people, messages })) {
    sqlite.exec(`create temp table ${name} (word)`)
    sqlite.prepare(`insert into ${name} select value from json_each(?)`).run(JSON.stringify(words))
  }
  sqlite.function('lead_id_at', (at) => createLeadId(new Date(String(at))))
  sqlite.function('reply_due_at', (at) => replyDueAt(new Date(String(at))).toISOString())
  sqlite.exec(fillWith(count))
  fillTexts(sqlite)
  sqlite.close()
}

const PAGE_ROWS = 1_000

function fillTexts(sqlite: Sqlite.Database) {
  const insert = sqlite.prepare('insert into lead_texts values (@id, @parts, @words)')
  const page = sqlite.prepare<[string], Searchable & { id: string }>(
    `select * from leads where id > ? order by id limit ${PAGE_ROWS}`,
  )
  sqlite.exec('begin')
  for (let leads = page.all(''); leads.length > 0; leads = page.all(leads.at(-1)?.id ?? ''))
    for (const lead of leads) insert.run({ id: lead.id, ...searchTextOf(lead) })
  sqlite.exec('commit')
}

/**
 * SQL that picks a word by the lead's number. The factors are prime, so that combinations of words
 * rarely repeat.
 */
const word = (list: string, length: number, factor: number) =>
  `(select word from ${list} where rowid = 1 + (n * ${factor} + n / ${length}) % ${length})`

const { firstNames, nameStarts, nameEnds, domains, trades } = people
const firstName = word('firstNames', firstNames.length, 7)
const lastName = `${word('nameStarts', nameStarts.length, 11)} || ${word('nameEnds', nameEnds.length, 13)}`

const fillWith = (count: number) => `
  begin;
  with recursive number(n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
  insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash,
    spam_score, spam_reasons, source, due_at, sort_key)
  select lead_id_at(strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ((n - ${count}) * 6) || ' seconds')), printf('Q-%04d-%04d', n / 10000, n % 10000),
    strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ((n - ${count}) * 6) || ' seconds'), ${firstName}, ${lastName},
    lower(${firstName} || '.' || ${lastName}) || (n % 1000) || '@' || ${word('domains', domains.length, 3)},
    printf('(%03d) 555-%04d', 200 + n % 700, n * 7919 % 10000), ${lastName} || ' ' || ${word('trades', trades.length, 5)},
    'https://example.com', case n % 3 when 0 then 'starter' when 1 then 'professional' else '' end,
    hex(randomblob(8)) || ' ' || ${word('messages', messages.length, 17)}, hex(randomblob(32)),
    0, '[]', '{}', '', '' from number;
  update leads set due_at = reply_due_at(created_at), state = iif(created_at < datetime('now', '-30 days'), 'answered', 'open');
  update leads set sort_key = due_at, seen_at = iif(state = 'answered', created_at, null);
  insert into outbox (lead_id, kind, recipient, state, priority, attempts, queued_at, due_at, sent_at, message_id)
  select id, 'owner_notice', 'hello@agency.example', iif(rowid % 10000 = 0, 'failed', 'sent'), ${priorities.owner},
    1, created_at, created_at, created_at, '<' || id || '.0@example.com>' from leads;
  insert into outbox_attempts select id, due_at, iif(state = 'queued', 'retry', state), 250, '250 2.0.0 Ok: queued as 4Xk2Yz' from outbox where attempts > 0;
  commit;`
