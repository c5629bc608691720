import { expect, test } from 'vitest'
import { telephoneLink } from './telephone-link.ts'

test.each([
  // One number, as people and phones write it.
  ['(312) 555-0199', 'tel:3125550199'],
  ['3125550199', 'tel:3125550199'],
  ['+1 (312) 555-0199', 'tel:+13125550199'],
  ['tel:+1-312-555-0199', 'tel:+13125550199'],
  ['\u202d(312) 555‑0199\u202c', 'tel:3125550199'],
  ['555-0199', 'tel:5550199'],
  // Other countries, with and without a country code.
  ['+44 (0)20 7946 0958', 'tel:+442079460958'],
  ['0049 30 901820', 'tel:+4930901820'],
  ['030 / 901820-42', 'tel:03090182042'],
  ['+39 06 6982 1234', 'tel:+390669821234'],
  ['٠٥٠ ١٢٣ ٤٥٦٧', 'tel:0501234567'],
  ['＋８１（３）１２３４－５６７８', 'tel:+81312345678'],
  // Extensions.
  ['(312) 555-0199 ext. 42', 'tel:3125550199;ext=42'],
  ['312-555-0199x42', 'tel:3125550199;ext=42'],
  ['312-555-0199 #42', 'tel:3125550199;ext=42'],
  ['312-555-0199 (Extension: 1042)', 'tel:3125550199;ext=1042'],
  // Words around it, or a second number.
  ['after 5pm: 312 555 0199', 'tel:3125550199'],
  ['312 555 0199 (cell, text ok)', 'tel:3125550199'],
  ['312-555-0199 call 2-4', 'tel:3125550199'],
  ['312 555 0199 or 312 555 0188', 'tel:3125550199'],
  ['020 7946 0958 +44 7700 900123', 'tel:02079460958'],
])('the phone text %j is linked to %j', (typed, link) => {
  expect(telephoneLink(typed)).toBe(link)
})

test.each([
  ...['call me', '', '-', 'after 5pm', '555', '0000000000', '1234567890123456'],
  // Hidden or spelled digits.
  ...['312-555-01xx', '312 555 01**', '1-800-555-ROOF', '1-800-FLOWERS', '1 800 555 ROOF'],
  // Two numbers.
  ...['312-555-0199/312-555-0188', '3125550199 3125550188', '555-0199 555-0188', '030 901820/21'],
  // Times and dates.
  ...['9:30-17:00 (312) 555-0199', '9:30 555-0199', '9-5 312 555 0199', '12/05/2026'],
])('no link is better than a wrong number (%j)', (typed) => {
  expect(telephoneLink(typed)).toBeNull()
})
