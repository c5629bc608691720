import { RETENTION } from '#shared/pages.ts'
import { brand } from '../../facts/brand.ts'

export const documentTitle = `Your data | ${brand.name}`
export const description = `Which data ${brand.name} keeps, and for how long.`

export const title = 'Your data'
export const lead = 'Which data we keep, and for how long.'

export const stored = {
  title: 'Which data',
  intro: 'Nothing before you press the button. Afterwards:',
  items: [
    { name: 'The form', text: 'What you filled in.' },
    { name: 'Replies', text: 'What we wrote back.' },
  ],
  spamFilter: 'Your words teach our spam filter until we delete them.',
  address: 'We keep no IP address.',
}

export const browser = {
  title: 'In your browser',
  text: 'No cookies. Drafts stay in the tab.',
}

export const retention = {
  title: 'For how long',
  kept: 'Until you ask us to delete it.',
  deleted: `For ${RETENTION}, then a program deletes it.`,
  backups: 'Copies expire later.',
}

export const readers = {
  title: 'Who reads it',
  people: `The staff of ${brand.legalName}.`,
  mailServer: 'The company that carries our post.',
  program: 'Our customer list.',
  nobodyElse: 'Nobody besides.',
}

export const erasing = {
  title: 'Deleting it',
  ask: 'Tell us the address you gave:',
  effect: 'We delete all that came from it.',
  emails: 'Messages in mailboxes stay; ask for ours as well.',
}
