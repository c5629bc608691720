import { formatTable } from '../../cli/terminal.ts'
import { readCorpus } from '../../leads/spam/samples.ts'
import { isSuspect } from '../../leads/spam-score.ts'
import { requestWith } from '../testing/corpus/senders.ts'
import { crossValidate, judgeKind, scoreOf, ways } from '../testing/judge-kinds.ts'
import { pointsByWordLists } from './baselines/word-lists.ts'

type Judged = ReturnType<typeof judgeKind>
const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * Counts how many messages of a kind are marked as suspected spam by the earlier filter, which used word lists, and by a
 * filter like the current one that has not learned this kind.
 */
function countMarked({ kind, judged }: Judged, way: 'normal' | 'scriptless') {
  const wayPoints = way === 'scriptless' ? 1 : 0
  const byLists = judged.filter(({ message }, number) =>
    isSuspect(pointsByWordLists(requestWith(message, number)) + wayPoints),
  )
  const byFilter = judged.filter(({ message, words }, number) =>
    isSuspect(scoreOf(message, number, words, ways[way])),
  )
  return { name: kind.name, messages: judged.length, lists: byLists.length, filter: byFilter.length }
}

function sayTable(title: string, kinds: Judged[]) {
  const normal = kinds.map((kind) => countMarked(kind, 'normal'))
  const scriptless = kinds.map((kind) => countMarked(kind, 'scriptless'))
  const rows = [...normal, total(normal)].map((row, index) => ({
    ...row,
    scriptless: [...scriptless, total(scriptless)][index] ?? row,
  }))
  const column = (name: string, cell: (row: (typeof rows)[number]) => number | string) => ({
    title: name,
    cells: rows.map((row) => String(cell(row))),
  })
  say(`\n${title}`)
  say(
    formatTable(
      [
        column('kind', ({ name }) => name),
        column('messages', ({ messages }) => messages),
        column('lists', ({ lists }) => lists),
        column('filter', ({ filter }) => filter),
        column('lists, no script', (row) => row.scriptless.lists),
        column('filter, no script', (row) => row.scriptless.filter),
      ],
      Number.POSITIVE_INFINITY,
    ),
  )
}

const total = (rows: ReturnType<typeof countMarked>[]) => ({
  name: 'all',
  messages: rows.reduce((sum, { messages }) => sum + messages, 0),
  lists: rows.reduce((sum, { lists }) => sum + lists, 0),
  filter: rows.reduce((sum, { filter }) => sum + filter, 0),
})

const kinds = readCorpus('')
const held = crossValidate(kinds)
sayTable(
  'Spam that is marked. Each kind is judged by a filter that has not learned it.',
  held.filter(({ kind }) => kind.isSpam),
)
sayTable(
  'Honest messages that are marked. Each kind is judged by a filter that has not learned it.',
  held.filter(({ kind }) => !kind.isSpam),
)
if (process.argv.includes('--final')) {
  const final = readCorpus('final-').map((kind) => judgeKind(kind, kinds))
  sayTable(
    'Spam that is marked. None of it was used to tune the filter.',
    final.filter(({ kind }) => kind.isSpam),
  )
  sayTable(
    'Honest messages that are marked. None of them were used to tune the filter.',
    final.filter(({ kind }) => !kind.isSpam),
  )
}
