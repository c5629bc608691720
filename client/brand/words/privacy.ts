import { brand } from '#facts/brand.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { BACKUP_DAYS, RETENTION } from '#shared/pages.ts'

const labels = contactFieldNames.map((name) => contactFields[name].label)
const entries = labels.map((label, index) => (index > 0 ? label.toLowerCase() : label))

export const documentTitle = `Privacy | ${brand.name}`
export const description = `What ${brand.name} stores when you ask for a quote, for how long, who sees it, and how to have it erased.`

export const title = 'Privacy'
export const lead =
  'What we store when you ask for a quote, how long we keep it, who sees it, and how to have it erased.'

export const stored = {
  title: 'What we store',
  intro: 'Until you send the form, we store nothing about you. Then we store:',
  items: [
    { name: 'Your entries', text: `${entries.slice(0, -1).join(', ')} and ${entries.at(-1)}.` },
    {
      name: 'Date and time',
      text: 'When your request arrived and when our reply is due, with a reference number, and a random code so that a request sent twice counts once.',
    },
    {
      name: 'Where you came from',
      text: 'The website, campaign or ad that led you here, and the first page you opened. Only the name of that website, not the page you were on, and nothing that identifies you.',
    },
    {
      name: 'A spam check',
      text: 'How likely your request is spam, and why: for example, the form was filled in faster than a person can type.',
    },
    {
      name: 'What we write to each other',
      text: 'Our replies and notes, your later emails with the names of their files, and whether our emails were delivered.',
    },
  ],
  spamFilter:
    'When we answer your request or mark it as spam, the words of your message also train our spam filter. When the request is deleted, the filter forgets them.',
  address:
    'Your IP address is not stored. To stop floods of requests, the server counts them under a code made from the address, and deletes the code after a day.',
}

export const browser = {
  title: 'What stays in your browser',
  text: 'We set no cookies and use no trackers, and this site loads nothing from other companies. What you type stays in the browser tab until you send it, so that a reload loses nothing. A note of where you came from and the reference and email address of your last request stay until you close the tab.',
}

export const retention = {
  title: 'How long we keep it',
  kept: 'We keep your request until you ask us to erase it.',
  deleted: `We delete your request automatically once your last message is ${RETENTION} old, a week has passed since we dealt with it, and the emails about it have gone out.`,
  backups: `Our backups can contain a deleted request for up to ${BACKUP_DAYS} days.`,
}

export const readers = {
  title: 'Who sees it',
  people: `The people at ${brand.legalName} who answer requests.`,
  mailServer: 'Our email provider, which delivers the emails about your request.',
  program: 'Another program of ours, such as a customer list, which gets a copy of each request.',
  nobodyElse: 'This site sends it to nobody else.',
}

export const erasing = {
  title: 'How to have it erased',
  ask: 'Email or call us, and tell us the email address you used:',
  effect: `We erase every request from that address, with our replies and notes. Our backups can contain it for up to ${BACKUP_DAYS} more days. If we need one of them, your request is erased from it before we use it.`,
  emails: 'Emails that have been delivered stay in their mailboxes. Ask us to delete ours, too.',
}
