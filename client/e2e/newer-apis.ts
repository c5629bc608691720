/**
 * APIs that Safari 15.4, Firefox ESR 115 or Chrome 105 lacks, by the first versions that have them.
 * `guarded`: page or inbox (or their libraries) use the API if it is there, and work without it.
 * Everything else they must not use at all.
 */
const guarded = {
  'Error.captureStackTrace': 'Safari 9, Firefox 138, Chrome 3',
  'Document.prototype.startViewTransition': 'Safari 18, Firefox 144, Chrome 111',
  'HTMLElement.prototype.popover': 'Safari 17, Firefox 125, Chrome 114',
  'HTMLElement.prototype.hidePopover': 'Safari 17, Firefox 125, Chrome 114',
  'PublicKeyCredential.isConditionalMediationAvailable': 'Safari 16, Firefox 119, Chrome 108',
  'URL.canParse': 'Safari 17, Firefox 115, Chrome 120',
  'crypto.randomUUID': 'only over HTTPS and on localhost',
  'navigator.connection': 'no Safari, no Firefox, Chrome 61',
  navigation: 'Safari 26.2, Firefox 147, Chrome 102',
  requestIdleCallback: 'no Safari, Firefox 55, Chrome 47',
  // React uses this only for buttons with a `formAction` function, which the page doesn't have.
  'HTMLFormElement.prototype.requestSubmit': 'Safari 16, Firefox 75, Chrome 76',
}

const unused = {
  'AbortSignal.any': 'Safari 17.4, Firefox 124, Chrome 116',
  'AbortSignal.timeout': 'Safari 16, Firefox 100, Chrome 103',
  'Array.fromAsync': 'Safari 16.4, Firefox 115, Chrome 121',
  'Array.prototype.toReversed': 'Safari 16, Firefox 115, Chrome 110',
  'Array.prototype.toSorted': 'Safari 16, Firefox 115, Chrome 110',
  'Array.prototype.toSpliced': 'Safari 16, Firefox 115, Chrome 110',
  CSSStyleSheet: 'Safari 16.4 (as a constructor), Firefox 101, Chrome 73',
  'Document.prototype.adoptedStyleSheets': 'Safari 16.4, Firefox 101, Chrome 73',
  'Element.prototype.checkVisibility': 'Safari 17.4, Firefox 106, Chrome 105',
  'Element.prototype.moveBefore': 'Firefox 144, Chrome 133',
  'HTMLElement.prototype.inert': 'Safari 15.5, Firefox 112, Chrome 102',
  'HTMLElement.prototype.showPopover': 'Safari 17, Firefox 125, Chrome 114',
  'HTMLElement.prototype.togglePopover': 'Safari 17, Firefox 125, Chrome 114',
  'Intl.DurationFormat': 'Safari 16.4, Firefox 136, Chrome 129',
  'Intl.Segmenter': 'Safari 14.1, Firefox 125, Chrome 87',
  'Map.groupBy': 'Safari 17.4, Firefox 119, Chrome 117',
  'Object.groupBy': 'Safari 17.4, Firefox 119, Chrome 117',
  'Promise.try': 'Safari 18.2, Firefox 134, Chrome 128',
  'Promise.withResolvers': 'Safari 17.4, Firefox 121, Chrome 119',
  'RegExp.escape': 'Safari 18.2, Firefox 134, Chrome 136',
  'Set.prototype.difference': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.intersection': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.isDisjointFrom': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.isSubsetOf': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.isSupersetOf': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.symmetricDifference': 'Safari 17, Firefox 127, Chrome 122',
  'Set.prototype.union': 'Safari 17, Firefox 127, Chrome 122',
  'String.prototype.isWellFormed': 'Safari 16.4, Firefox 119, Chrome 111',
  'String.prototype.toWellFormed': 'Safari 16.4, Firefox 119, Chrome 111',
  scheduler: 'Firefox 142, Chrome 94',
  trustedTypes: 'Safari 26, Firefox 148, Chrome 83',
}

export const newerApis = { ...guarded, ...unused }
export const usedApis = Object.keys(guarded)
