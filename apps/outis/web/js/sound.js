// Four short sounds, made on the spot.

let context = null;
let on = true;

export const setSound = (value) => { on = value; };

const NOTES = {
  turn: [[523, 0, 0.12], [784, 0.09, 0.2]],
  win: [[523, 0, 0.14], [659, 0.1, 0.14], [784, 0.2, 0.3]],
  warning: [[220, 0, 0.25], [185, 0.18, 0.4]],
};

/** Plays `turn`, `card`, `win` or `warning`, if there is sound and a person has touched the page. */
export function play(name) {
  if (!on || !globalThis.AudioContext) return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  if (name === 'card') return rustle(now);
  for (const [pitch, after, length] of NOTES[name] || []) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, now + after);
    loud.gain.linearRampToValueAtTime(0.13, now + after + 0.015);
    loud.gain.exponentialRampToValueAtTime(0.0008, now + after + length);
    tone.connect(loud).connect(context.destination);
    tone.start(now + after);
    tone.stop(now + after + length);
  }
  return undefined;
}

/** A card on cloth: a short breath of filtered noise. */
function rustle(now) {
  const length = Math.floor(context.sampleRate * 0.07);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = 2100;
  const loud = context.createGain();
  loud.gain.value = 0.22;
  source.connect(filter).connect(loud).connect(context.destination);
  source.start(now);
}
