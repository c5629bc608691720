import { expect, test } from 'vitest'
import { cleanLine, replaceInvisible } from './invisible-characters.ts'

const everyCharacter = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))

test('no character that breaks lines or changes the text direction is left in single-line text', () => {
  const kept = everyCharacter.filter((character) => cleanLine(character) === character)

  expect(kept.filter((character) => /(?!\t)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(character))).toEqual([])
  expect(kept.filter((character) => /(?![\u061c\u200e\u200f])\p{Bidi_Control}/u.test(character))).toEqual([])
})

test('invisible characters are replaced, except those that emoji, Persian and Japanese need', () => {
  const kept = everyCharacter.filter(
    (character) =>
      /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(character) &&
      replaceInvisible(character) === character,
  )

  expect(kept.filter((character) => !/[\u200c\u200d]|\p{Variation_Selector}/u.test(character))).toEqual([])
  for (const text of ['👩🏽‍🚀', '❤️', 'می‌خواهم', 'Ünal', '葛\u{e0100}'])
    expect(replaceInvisible(text)).toBe(text)
})
