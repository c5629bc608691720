import { answerLead } from '../../server/leads/answers/answer-lead.ts'
import { markSeen, noteLead } from '../../server/leads/change/change-lead.ts'
import { followUp, markLead, markResult } from '../../server/leads/change/mark-lead.ts'
import { samplePasskey } from '../../server/proof/testing/owner-browser.ts'
import { largestPlan, smallestPlan } from '../../server/proof/testing/sample-plan.ts'
import { anna, ben, type Site } from './site.ts'

const HOUR = 60
const DAY = 24 * HOUR

/**
 * Stores leads of many kinds: unread, suspected spam, won, with a follow-up, and one whose answer
 * could not be delivered. Everything happens through the product's own functions, and their emails
 * are sent. Ben has a phone and Anna a passkey.
 */
export async function storeLeads(site: Site): Promise<void> {
  const { arrive, by } = site
  /** Does something at a time before the tests begin, and sends the emails. */
  const ago = async (minutes: number, work: () => unknown) => {
    site.setTime(-minutes * 60_000)
    await work()
    await site.sendEmails()
  }

  await ago(190 * DAY, () => arrive('Dana', 'Whitfield', { message: 'What does a small site cost?' }))
  await ago(189 * DAY, () => by(anna, 'Dana', markResult, { result: 'lost' }))
  await ago(6 * DAY, () => arrive('Erin', 'Walsh', { message: 'When can we start?' }))
  await ago(5 * DAY, () => by(anna, 'Erin', markResult, { result: 'won' }))
  await ago(2 * DAY, () =>
    arrive('Vera', 'Lang', { message: 'Please call me about a new site for our bakery.' }),
  )
  await ago(47 * HOUR, () => by(anna, 'Vera', markLead, { state: 'spam' }))
  await ago(33 * HOUR, () => arrive('Pat', 'Kowalski', { message: 'Please call again after the holidays.' }))
  await ago(32 * HOUR, () => by(anna, 'Pat', markLead, { state: 'answered' }))
  await ago(31 * HOUR, () => by(anna, 'Pat', followUp, { at: '2026-06-12T12:00:00.000Z' }))
  await ago(305, () =>
    arrive('Marcus', 'Oyelaran', {
      phone: '(614) 555-0187',
      company: 'Oyelaran Heating & Air',
      message:
        'Our site went down twice last month and the company that made it does not pick up the phone. How soon could you take over? We also have a second location now.',
    }),
  )
  const spring = { landing: '/', parameters: { gclid: 'x', utm_campaign: 'spring roofs' } }
  const danasRequest = {
    phone: '(614) 555-0142',
    company: 'Whitfield Roofing',
    website: 'https://www.whitfield-roofing.example/',
    message:
      'Hi, we are a crew of six and still get most of our work by word of mouth.\n\nWe need a site that shows our jobs and a button to call us. Could it be live before storm season? My cousin says 10 pages are enough.\n\nDana',
  }
  await ago(212, () => arrive('Dana', 'Whitfield', danasRequest, spring))
  await ago(96, () =>
    arrive('Joanna', 'Brandt-Featherstonehaugh', {
      budget: smallestPlan.id,
      message: 'Just a simple page for my dental practice, please. Address, hours, map, that is all.',
    }),
  )
  await ago(70, () =>
    arrive('Luis', 'Aguilar', {
      phone: '614.555.0110',
      budget: largestPlan.id,
      message: 'We run four branches. Who would be our contact?',
    }),
  )
  await ago(45, () => by(ben, 'Luis', noteLead, { text: 'Called: asks for a meeting in person.' }))
  await ago(44, () =>
    arrive('Robert', 'Smith', {
      website: 'https://rank-first.example/',
      message:
        'Hello, I found your website and noticed that it does not rank well on Google. We offer SEO packages with guaranteed first page rankings at affordable prices. Reply for a free audit.',
    }),
  )
  for (const name of ['Erin', 'Vera', 'Pat', 'Marcus', 'Joanna', 'Luis', 'Robert'])
    await ago(43, () => by(anna, name, markSeen))
  site.mail.refuse('luis@example.com', '550 5.1.1 No such user here.')
  const text = 'Hello Luis,\n\nThank you for your request. I would be your contact.\n\nAnna'
  await ago(40, () => by(anna, 'Luis', answerLead, { text }))
  // The answer is sent once it can no longer be undone.
  await ago(39, () => {})
  const message = 'How much for a shop with about 40 products?'
  await ago(4, () => arrive('Priya', 'Raman', { budget: '', message }, {}))

  site.setTime(0)
  await site.addSession({ owner: ben, browser: 'Safari on iPhone', minutesAgo: 2 * HOUR })
  const passkey = { ...samplePasskey(), id: 'key', owner: anna, name: 'Anna’s phone', host: 'localhost' }
  await site.db.insertInto('passkeys').values(passkey).execute()
}
