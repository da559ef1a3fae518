/* Shoes and wheels checked from their revealed seed: the derivation of the server, written again, with no page in it. */
/** @import { RevealedShoe, RevealedWheel } from '../view.d.ts' */

const WORD = 2 ** 16;
const SEED = /^[0-9a-f]{64}$/;
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
/** The columns and the diagonals of a ChaCha20 block. */
const QUARTERS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];
const SHOWN = 10;

/** @param {string} seed */
const bytesOf = (seed) => {
  if (!SEED.test(seed)) throw new Error('A seed has 64 digits from 0 to 9 and a to f.');
  return Uint8Array.from({ length: 32 }, (_, index) => parseInt(seed.slice(2 * index, 2 * index + 2), 16));
};

/** @param {ArrayBuffer} bytes */
const hexOf = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const digests = () => {
  if (!globalThis.crypto?.subtle) throw new Error('This browser calculates no SHA-256 here: open the page over https.');
  return crypto.subtle;
};

/** What is published before the cut: SHA-256 of the seed. @param {string} seed */
export const commitmentOf = async (seed) => hexOf(await digests().digest('SHA-256', bytesOf(seed)));

/** @param {number} value @param {number} bits */
const turned = (value, bits) => (value << bits) | (value >>> (32 - bits));

/** @param {Uint32Array} x @param {number[]} places */
function quarter(x, [a, b, c, d]) {
  x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 16);
  x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 12);
  x[a] += x[b]; x[d] = turned(x[d] ^ x[a], 8);
  x[c] += x[d]; x[b] = turned(x[b] ^ x[c], 7);
}

/** The endless words of a key: its ChaCha20 keystream (RFC 8439, from block 0, nonce 0), 16 bits at a time. @param {Uint8Array} key */
export function* wordsOf(key) {
  const given = new DataView(key.buffer, key.byteOffset);
  const start = Uint32Array.from([...CONSTANTS, ...Array.from({ length: 8 }, (_, index) => given.getUint32(4 * index, true)), 0, 0, 0, 0]);
  for (; ; start[12] += 1) {
    const x = start.slice();
    for (let round = 0; round < 10; round += 1) QUARTERS.forEach((places) => quarter(x, places));
    for (let index = 0; index < 16; index += 1) {
      const word = (x[index] + start[index]) >>> 0;
      yield word % WORD;
      yield Math.floor(word / WORD);
    }
  }
}

/** A whole number below n, from as many words at a time as n needs: those that would make one likelier are thrown away.
    @param {number} n @param {Iterator<number>} words */
function below(n, words) {
  const count = Math.max(1, Math.ceil(n.toString(2).length / 16));
  const size = WORD ** count;
  for (;;) {
    let word = 0;
    for (let index = 0; index < count; index += 1) word = word * WORD + words.next().value;
    if (word < size - (size % n)) return word % n;
  }
}

/** The cards in the order in which they leave the shoe. @param {string} seed @param {string[]} cards @param {number} cut */
export function orderOf(seed, cards, cut) {
  const order = [...cards];
  const words = wordsOf(bytesOf(seed));
  for (let left = order.length; left > 1; left -= 1) {
    const other = below(left, words);
    [order[left - 1], order[other]] = [order[other], order[left - 1]];
  }
  return [...order.slice(cut), ...order.slice(0, cut)];
}

/** @param {string} text */
const listed = (text) => text.split(' ').filter(Boolean);

/** @param {string} seed @param {string} commitment */
async function unlike(seed, commitment) {
  const own = await commitmentOf(seed);
  return own === commitment ? [] : [`The SHA-256 of this seed is ${own}, not the commitment.`];
}

/** The order of a shoe, and everything in it that its seed contradicts. @param {RevealedShoe} shoe */
export async function checkShoe({ seed, commitment, cards, cut, dealt }) {
  const order = orderOf(seed, listed(cards), cut);
  const wrong = listed(dealt).flatMap((card, index) => (card === order[index] ? [] : [`Card ${index + 1} was ${card}, the seed makes it ${order[index] || 'none'}.`]));
  const more = wrong.length - SHOWN;
  return { order, faults: [...await unlike(seed, commitment), ...wrong.slice(0, SHOWN), ...(more > 0 ? [`${more} more cards differ.`] : [])] };
}

/** The words of a spin: those of the key HMAC-SHA256(seed, "spin <number>"). @param {string} seed @param {number} number */
async function spinWords(seed, number) {
  const key = await digests().importKey('raw', bytesOf(seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return wordsOf(new Uint8Array(await digests().sign('HMAC', key, new TextEncoder().encode(`spin ${number}`))));
}

/** Where a wheel stops: its symbols in the order of their names. @param {Record<string, number>} weights @param {Iterator<number>} words */
function symbolOf(weights, words) {
  const names = Object.keys(weights).sort();
  let offset = below(names.reduce((sum, name) => sum + weights[name], 0), words);
  return names.find((name) => (offset -= weights[name]) < 0);
}

/** Everything about the wheels of a round that their seed contradicts. @param {RevealedWheel} wheel */
export async function checkWheel({ seed, commitment, spins, weights }) {
  const faults = await unlike(seed, commitment);
  for (const [index, spin] of spins.entries()) {
    const words = await spinWords(seed, index + 1);
    const symbol = symbolOf(weights[spin.wheel], words);
    const boxes = [...spin.boxes].sort((one, other) => one - other);
    const spot = boxes.length ? boxes[below(boxes.length, words)] : null;
    if (symbol !== spin.symbol || spot !== spin.hot_spot) faults.push(`Spin ${index + 1} stopped at ${spin.symbol}, the seed makes it ${symbol}${spot === null ? '' : `, hot spot ${spot}`}.`);
  }
  return faults;
}
