// Short synthesised sounds for what happens in a game.

let context = null;
let on = true;

export const setSound = (value) => { on = value; };

/** Pitch, start and length. */
const NOTES = {
  end: [[523, 0, 0.16], [392, 0.13, 0.3]],
  chat: [[988, 0, 0.08]],
  low: [[880, 0, 0.07], [880, 0.14, 0.07]],
  turn: [[523, 0, 0.12], [784, 0.09, 0.2]],
  win: [[523, 0, 0.14], [659, 0.1, 0.14], [784, 0.2, 0.3]],
  warning: [[220, 0, 0.25], [185, 0.18, 0.4]],
};

/** Filtered noise: pitch, start, length, volume. Cloth is soft and long, wood low and short, clay high and short. */
const NOISES = {
  card: [[2100, 0, 0.07, 0.22]],
  fold: [[1100, 0, 0.12, 0.16]],
  trick: [[2100, 0, 0.07, 0.2], [1500, 0.12, 0.2, 0.16]],
  chips: [[5200, 0, 0.03, 0.3], [4600, 0.06, 0.03, 0.26], [5600, 0.11, 0.03, 0.2]],
  knock: [[260, 0, 0.06, 0.9], [260, 0.13, 0.06, 0.7]],
  move: [[420, 0, 0.05, 0.8]],
  capture: [[420, 0, 0.05, 0.8], [900, 0.05, 0.06, 0.5]],
};

/** Plays a sound by name, if sound is on and the person has interacted with the page. */
export function play(name) {
  if (!on || !globalThis.AudioContext) return;
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const noise of NOISES[name] || []) rustle(now, ...noise);
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
}

function rustle(now, pitch, after, seconds, volume) {
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  const loud = context.createGain();
  loud.gain.value = volume;
  source.connect(filter).connect(loud).connect(context.destination);
  source.start(now + after);
}
