// The scenes of the 22 tarokks. The wanderer who called himself Nobody gives them their stories.
// A scene fills the upper half of a card: x from -43 to 43, y from -62 (top) to 0 (the middle line, where the same
// scene meets it upside down).

import {
  BLUE, BROWN, CREAM, GOLD, GREEN, INK, LEAF, NIGHT, OCHRE, PAPER, RED, SEA, SKIN, SKY, STONE, WHITE,
  dot, eye, fill, line, move, ring, shape,
} from './parts.js';

const sky = (colour) => fill('M-43-62h86V0h-86z', colour);
const ground = (y, colour) => shape(`M-44 ${y}Q-20 ${y - 4} 0 ${y}T44 ${y - 1}V1H-44z`, colour);

function sea(y, colour = SEA) {
  let crest = `M-44 ${y}`;
  for (let x = -44; x < 44; x += 11) crest += `q2.75-4 5.5 0t5.5 0`;
  const curls = [[-34, 5], [-12, 8], [10, 5], [30, 8], [-24, 12], [20, 12]]
    .filter(([, down]) => y + down < -1)
    .map(([x, down]) => line(`M${x} ${y + down}q2.5-3 5 0t5 0`, 0.9, WHITE)).join('');
  return shape(`${crest}V1H-44z`, colour) + curls;
}

const stars = (...places) => places.map(([x, y]) =>
  fill(`M${x} ${y - 1.9}l.5 1.4 1.4.5-1.4.5-.5 1.4-.5-1.4-1.4-.5 1.4-.5z`, GOLD)).join('');
const moon = (x, y, r) => shape(`M${x} ${y - r}A${r} ${r} 0 1 0 ${x + r * 0.9} ${y + r * 0.5}A${r * 0.82} ${r * 0.82} 0 0 1 ${x} ${y - r}z`, GOLD, 0.9);

function rays(x, y, inner, outer, count, colour) {
  let d = '';
  for (let i = 0; i < count; i++) {
    const at = (a, r) => `${(x + r * Math.cos(a)).toFixed(1)} ${(y + r * Math.sin(a)).toFixed(1)}`;
    const a = (2 * Math.PI * i) / count;
    const w = Math.PI / count * 0.62;
    d += `M${at(a - w, inner)}L${at(a, i % 2 ? outer : outer * 0.86)} ${at(a + w, inner)}z`;
  }
  return fill(d, colour);
}

function ship(x, y, scale, sail = RED) {
  return move(x, y, [
    line('M0-5V-37', 1.7, BROWN),
    shape('M-15-33Q0-28 15-33Q20-22 15-12Q0-7-15-12Q-10-22-15-33z', sail),
    line('M-12.6-22q12.6 4 25.4 0', 1.6, GOLD),
    line('M-16-33.6Q0-28.6 16-33.6', 1.7, BROWN),
    eye(0, -25.6, 0.42, sail === WHITE ? RED : WHITE, 2.4),
    shape('M0-37l9-2.4-9-2.4z', OCHRE, 0.8),
    shape('M-25-12Q-22-4-14-4H15Q22-5 27-13Q29-6 22 2H-17Q-26-1-27-9z', BROWN),
    line('M-22-1.6Q0 1 23-1.4', 0.9, GOLD),
    ring(19, -3.4, 1.7, WHITE, 0.8), dot(19.2, -3.4, 0.7),
    ...[-12, -5, 2, 9].map((a) => line(`M${a}-3l-4 8`, 1, INK)),
  ].join(''), `scale(${scale})`);
}

const cypress = (x, y, h) => shape(`M${x} ${y}C${x - h * 0.2} ${y - h * 0.3} ${x - h * 0.12} ${y - h * 0.75} ${x} ${y - h}C${x + h * 0.12} ${y - h * 0.75} ${x + h * 0.2} ${y - h * 0.3} ${x} ${y}z`, GREEN, 0.9);

const SCENES = {
  // The one without a number: the fool, whose name is Nobody.
  skiz: () => [
    sky('#f3e3bd'),
    fill('M-43-62h14.3V0H-43zM-14.3-62H0V0h-14.3zM14.3-62h14.4V0H14.3z', '#ecd6a4'),
    // bells of the collar and the coat in two halves
    shape('M0-21C-16-20-27-12-30 1H0z', RED), shape('M0-21C16-20 27-12 30 1H0z', BLUE),
    fill('M-12-9l4-6 4 6-4 6zM-23-3l4-6 4 6-4 6z', GOLD), fill('M4-9l4-6 4 6-4 6zM15-3l4-6 4 6-4 6z', GOLD),
    shape('M-17-17l5 5 5-6 7 7 7-7 5 6 5-5-5-6h-24z', GOLD),
    dot(-12, -11.2, 1.5, WHITE), dot(0, -10.2, 1.5, WHITE), dot(12, -11.2, 1.5, WHITE),
    // face
    shape('M-9.5-36C-9.5-25-5-20 0-20S9.5-25 9.5-36z', SKIN),
    line('M-6.2-31.4q2 1.9 4 0M2.2-31.4q2 1.9 4 0', 1.2), line('M0-31.5l-1.2 4.2h1.7', 0.9),
    line('M-4.2-24.6Q0-21.4 4.2-24.6', 1.2, RED), dot(-6.4, -27.6, 1.3, '#e0a184'), dot(6.4, -27.6, 1.3, '#e0a184'),
    // cap with three horns
    shape('M0-35.5C-4-47-4-52 0-58C4-52 4-46 0-35.5z', GOLD),
    shape('M-10-34C-12-46-19-50-29-46C-27-43-25-40-26-34C-21-38-14-39-1-35z', RED),
    shape('M10-34C12-46 19-50 29-46C27-43 25-40 26-34C21-38 14-39 1-35z', BLUE),
    shape('M-11-33.4Q0-39.5 11-33.4Q0-36-11-33.4z', GOLD),
    ring(-27, -32.4, 2.5, GOLD, 1), ring(27, -32.4, 2.5, GOLD, 1), ring(0, -58.4, 2.3, GOLD, 1),
    // wand with the closed eye
    line('M33-2L36.5-30', 1.8, BROWN), ring(36.6, -34, 5.2, PAPER, 1), eye(36.6, -34.4, 0.32, INK, 3),
    shape('M27-9q4-3 8-1l-1 6q-5 1-8-1z', SKIN, 0.9),
    line('M-33-2L-36-23', 1.5, BROWN), shape('M-36-23q-5-5-1.5-11q5 5 1.5 11z', GREEN, .9), shape('M-36-23q1-6 6-8q0 6-6 8z', LEAF, .9), shape('M-27-9q-4-3-8-1l1 6q5 1 8-1z', SKIN, 0.9),
  ],
  // The world: sun and moon over the globe that a small ship goes round.
  XXI: () => [
    fill('M-43-62H0V0h-43z', '#f2d9a0'), fill('M0-62h43V0H0z', NIGHT),
    stars([10, -56], [37, -55], [39, -20], [8, -30], [26, -33], [36, -38]),
    rays(-27, -47, 9, 15.5, 16, OCHRE), ring(-27, -47, 9, GOLD),
    line('M-31-48q1.3-1.4 2.6 0M-25.6-48q1.3-1.4 2.6 0M-30-44q3 2.4 6 0', 0.9),
    moon(25, -47, 9.5), line('M20.6-47.6q1.2 1.2 2.6.2M19-43.2q1.4 1.6 3.2 1', 0.9),
    ring(0, 4, 34, SEA, 1.3),
    `<g clip-path="url(#globe)">${shape('M-30-12Q-22-24-12-24Q-4-20-9-14Q-2-12-8-5Q-16-2-18 4H-34z', LEAF, 0.9)}${shape('M10-22Q20-21 27-11Q22-5 26 0L18 4Q16-6 9-9Q4-14 10-22z', LEAF, 0.9)}</g>`,
    line('M-33-3Q0 9 33-3M-26-17Q0-7 26-17M0-30V2M-15-26Q-23-12-20 2M15-26Q23-12 20 2', 0.5, '#dfeff0'),
    `<circle cx="0" cy="4" r="34" fill="none" stroke="${INK}" stroke-width="1.4"/>`,
    ship(0, -29, 0.56, WHITE),
  ],
  // The wooden horse.
  XX: () => [
    sky('#f0d7a6'), ring(27, -46, 8, '#e7b75c', 0.8),
    shape('M-44-14V-34h6v-5h5v5h5v-5h5v5h6v20z', STONE, 1), line('M-40-28h6M-34-22h6M-42-20h5M-30-30h6M-26-18h5', 0.7, '#8d8577'),
    ground(-9, '#c9a46a'),
    shape('M-17-13L-14-34Q-12-40-4-39L10-38L14-52Q17-59 23-57L32-49Q33-45 29-45L23-46L22-34Q24-30 22-13H17L15-26H-9L-12-13z', BROWN),
    shape('M14-52Q10-56 13-60Q22-60 23-57L17-46z', OCHRE, .9), line('M15-55l4 2M14-51l4 2', .8),
    ring(25, -51.6, 1.3, WHITE, 0.7), line('M-12-34H20M-13-30H21', 0.8, '#5c3a20'), shape('M-3-36h9v9h-9z', '#5c3a20', 0.9), dot(1.5, -32, 1.3, GOLD),
    line('M-15-36Q-23-34-22-20', 2, INK), shape('M-22-8h50v-4h-50z', OCHRE),
    ring(-15, -6, 5, BROWN), ring(20, -6, 5, BROWN), dot(-15, -6, 1.4, GOLD), dot(20, -6, 1.4, GOLD),
  ],
  // The Cyclops.
  XIX: () => [
    sky('#3a3040'), shape('M-44-40Q-30-63 0-62T44-40V1h-88z', '#5a4a52', 1), line('M-40-30Q-33-50-20-56M40-30Q33-50 20-56', 0.8, '#7b6a70'),
    shape('M-34 1Q-33-15-18-18H18Q33-15 34 1z', '#6f7f58'),
    shape('M-20-32Q-21-54 0-55T20-32Q20-8 0-6T-20-32z', SKIN),
    fill('M-20-34Q-22-56 0-57T20-34Q17-48 8-49Q0-45-9-49Q-17-47-20-34z', '#4a2e22'),
    shape('M-20-27Q-19-2 0-1T20-27Q14-17 8-19Q0-15-8-19Q-14-17-20-27z', '#4a2e22'),
    shape('M-11-36Q0-46 11-36Q0-27-11-36z', WHITE), ring(0, -36, 4.2, OCHRE, 0.9), dot(0, -36, 2), dot(1.2, -37.2, 0.8, WHITE),
    line('M-12-42Q0-49 12-42', 2.4, '#4a2e22'), line('M0-31l-2.6 7q2.6 1.6 5.2 0', 1), line('M-5-13.6Q0-16 5-13.6', 1.5, '#b4574a'),
    line('M-12-10l2 3M-4-7l1 3M5-7l-1 3M12-10l-2 3', .7, '#7d5a44'),
  ],
  // The ship.
  XVIII: () => [sky(SKY), fill('M-43-30Q-30-36-18-31T8-33T43-31V-9h-86z', '#dfe7e2'), ring(-28, -50, 6.5, GOLD, .8), line('M20-52q3-3 5 0q3-3 5 0M30-45q2-2.4 4 0q2-2.4 4 0', 1), ship(1, -13, 1.05), sea(-12)],
  // The song: a lyre on the rocks, birds of the sea.
  XVII: () => [
    sky('#cfdcd6'), rays(0, -36, 20, 42, 26, '#dfe6d6'),
    shape('M-24-2Q-20-14-8-15L8-16Q20-14 26-2z', STONE), line('M-10-12l-4 8M6-13l6 9', 0.8, '#8d8577'),
    line('M-9.5-20C-20-32-18-46-10-54M9.5-20C20-32 18-46 10-54', 4.4, INK), line('M-9.5-20C-20-32-18-46-10-54M9.5-20C20-32 18-46 10-54', 2.6, OCHRE),
    shape('M-15-48h30v3.6h-30z', BROWN), ring(-10, -55, 2.4, GOLD, .9), ring(10, -55, 2.4, GOLD, .9),
    shape('M-12-24Q0-28 12-24Q14-14 0-13T-12-24z', RED), ring(0, -18.6, 2.2, GOLD, .8),
    line('M-6-45V-21M-2-45V-21M2-45V-21M6-45V-21', 0.7),
    line('M-36-46q3-4 6 0q3-4 6 0M26-38q3-4 6 0q3-4 6 0M-38-30q2.4-3 5 0q2.4-3 5 0', 1.2), sea(-7),
  ],
  // The whirlpool.
  XVI: () => [
    sky('#9fb9bd'), fill('M-43-62h86v12q-20 6-43 1t-43 2z', '#6e8790'), line('M-30-56l-4 7M-12-57l-4 7M10-57l-4 7M30-57l-4 7M20-50l-3 5M-20-50l-3 5', 0.9, PAPER),
    shape('M-44-32Q0-48 44-32V1h-88z', SEA),
    line('M-38-20C-38-34 38-36 38-20C38-6-28-5-28-18C-28-29 28-29 28-19C28-10-18-10-18-18.5C-18-25 18-25 18-18.6C18-13-9-13-9-18C-9-21 8-21.4 8-18.4C8-16.4 0-16-1-18', 1.7, WHITE),
    line('M-43-10Q-20 1 0 0T43-12', 1.4, WHITE), shape('M-3-19a3.4 2 0 1 0 6.8 0a3.4 2 0 1 0-6.8 0z', INK, .5),
    move(-29, -27, ship(0, 0, 0.36), 'rotate(-22)'),
  ],
  // Many heads out of the sea.
  XV: () => [
    sky('#c8cfc0'), shape('M20 0Q22-20 30-34Q33-46 44-54V1z', STONE), line('M36-40l-4 12M40-30l-6 16', 0.8, '#8d8577'),
    ...[[-20, -30, 1, -14], [2, -44, 1, 2], [19, -24, 1, 15]].map(([x, y, s, base]) =>
      line(`M${base} 0C${base - 16} -12 ${x + 14} ${y + 18} ${x} ${y}`, 8.4, INK) + line(`M${base} 0C${base - 16} -12 ${x + 14} ${y + 18} ${x} ${y}`, 6.2, GREEN)
      + line(`M${base} 0C${base - 16} -12 ${x + 14} ${y + 18} ${x} ${y}`, 1.4, LEAF)
      + move(x, y, shape('M6 3Q7-6-1-8Q-9-8-14-2L-7-1L-13 2Q-7 6 0 6z', GREEN) + ring(-3, -3.4, 1.5, GOLD, .7) + dot(-3.3, -3.4, .7) + line('M3-6l3-4M0-7.4l1.4-4', 1.1) + line('M-13 0l-5 1.6M-18 1.6l-2-1', .9, RED), `scale(${s})`)),
    sea(-9),
  ],
  // The cup of the sorceress.
  XIV: () => [
    sky('#e6d3d4'), fill('M-43-62h86v8Q20-44 0-54T-43-50z', '#b88a96'), line('M-43-50Q-20-44 0-54T43-54', 1, INK),
    ground(-8, '#a9835c'),
    line('M-6-37q-5-5 0-9t0-9M2-38q-4-5 1-9t0-8M9-37q-4-4 0-8', 1.2, '#8a5c78'),
    shape('M-15-36H17Q17-20 4-17V-11Q9-9 10-6H-8Q-7-9-2-11V-17Q-15-20-15-36z', GOLD), shape('M-15-36a16 3.4 0 0 0 32 0a16 3.4 0 0 0-32 0z', '#7b3550', 1), line('M-12-28Q1-23 14-28', 1.4, RED), dot(1, -22.6, 1.6, RED),
    // one of the crew, changed
    move(-28, -8, shape('M-11-4Q-12-13-2-13Q8-13 10-7L14-6V-2L9-1V1H5V-1H-5V1H-9z', '#dfa394') + shape('M4-12l2-5 3 5z', '#c98a7c', .9) + dot(8.4, -8.4, .8) + line('M13-5v2', .8) + line('M-11-8q-4-1-3-4', 1), 'scale(.95)'),
    shape('M24-8C22-18 26-24 31-27C36-22 36-14 33-8z', LEAF, .9), line('M29-9V-22M29-16l3-3M29-13l-3-3', .8), ring(31, -29, 3, WHITE, .8), dot(31, -29, 1, GOLD),
  ],
  // The cattle of the Sun.
  XIII: () => [
    sky('#f3d594'), rays(0, -44, 11, 50, 20, '#f7e3b2'), ground(-8, LEAF), rays(0, -47, 9, 15, 16, OCHRE), ring(0, -47, 9, GOLD),
    shape('M-10-36C-22-34-30-40-29-52C-25-44-18-42-9-41z', WHITE), shape('M10-36C22-34 30-40 29-52C25-44 18-42 9-41z', WHITE),
    shape('M-12-31Q-24-36-29-29Q-22-23-13-25z', BROWN), shape('M12-31Q24-36 29-29Q22-23 13-25z', BROWN),
    shape('M-13-36Q0-44 13-36Q15-24 9-12Q8-3 0-3T-9-12Q-15-24-13-36z', BROWN),
    shape('M-3-40Q0-42 3-40L2-24Q0-20-2-24z', PAPER, .8), ring(-7.5, -27, 2, WHITE, .8), ring(7.5, -27, 2, WHITE, .8), dot(-7.5, -26.6, 1), dot(7.5, -26.6, 1),
    shape('M-9-13Q0-18 9-13Q8-3 0-3T-9-13z', '#d9b08c', 1), dot(-3.6, -9, 1.3), dot(3.6, -9, 1.3), ring(0, -4.6, 3, 'none', 1.4),
  ],
  // The bow, and the axes it shot through.
  XII: () => [
    sky('#ead9bd'), fill('M-43-16h86V0h-86z', '#a87c4f'), line('M-43-16h86M-43-8h86', .8),
    ...[-27, -9, 9, 27].map((x) => line(`M${x}-6V-38`, 2.6, INK) + line(`M${x}-6V-38`, 1.5, BROWN)
      + shape(`M${x - 2}-40Q${x - 10}-46 ${x - 8}-52Q${x - 3}-50 ${x}-46Q${x + 3}-50 ${x + 8}-52Q${x + 10}-46 ${x + 2}-40z`, '#c7ccd2') + ring(x, -39, 3.2, PAPER, 1.2)),
    line('M-42-39H38', 1.5, INK), line('M-42-39H38', .7, GOLD), shape('M36-42l7 3-7 3 2-3z', INK, .5), fill('M-42-39l-3-3h6l3 3-3 3h-6z', RED),
    line('M-34-3C-30-22 30-22 34-3', 3.2, INK), line('M-34-3C-30-22 30-22 34-3', 1.8, OCHRE), line('M-34-3H34', .7), shape('M-4-19h8v3.6h-8z', RED, .8),
  ],
  // The loom: woven by day, undone by night.
  XI: () => [
    fill('M-43-62H0V0h-43z', '#f0dcae'), fill('M0-62h43V0H0z', NIGHT), stars([36, -55], [32, -44], [38, -30]), ring(-36, -54, 4, GOLD, .8),
    shape('M-29 0V-58h5V0zM24 0V-58h5V0z', BROWN), shape('M-33-56h66v5h-66z', BROWN),
    line('M-20-51V-4M-15-51V-4M-10-51V-4M-5-51V-4M0-51V-4M5-51V-4M10-51V-4M15-51V-4M20-51V-4', .7, PAPER),
    shape('M-22-50H22V-26Q16-23 10-26T-2-25T-14-27T-22-25z', RED), line('M-21-45H21', 2, GOLD), line('M-20-37l4-4 4 4 4-4 4 4 4-4 4 4 4-4 4 4 4-4 4 4', 1.5, WHITE), line('M-21-31H21', 1.2, GOLD),
    line('M21-26q8 4 2 10t-6 10', 1, RED),
    ...[-18, -9, 0, 9, 18].map((x) => shape(`M${x - 2.4}-5h4.8l-.8 4.6h-3.2z`, STONE, .9)), move(8, -17, shape('M-9 0Q0-4 9 0Q0 4-9 0z', OCHRE, .9) + line('M-4 0h8', 1.4, RED), 'rotate(-8)'),
  ],
  // The owl.
  X: () => [
    sky(NIGHT), moon(27, -49, 8), stars([-34, -54], [-20, -57], [36, -30], [-37, -30], [14, -57]),
    line('M-43-7Q-10-16 43-9', 4.4, INK), line('M-43-7Q-10-16 43-9', 3, BROWN),
    ...[[-34, -9, -30], [-26, -8, 150], [24, -11, -35], [34, -9, 140], [31, -12, 10], [-38, -7, 200]].map(([x, y, a]) => move(x, y, shape('M0 0Q4-4 10 0Q4 4 0 0z', LEAF, .8), `rotate(${a})`)), ring(-21, -5, 2.2, GREEN, .8), ring(17, -5.5, 2.2, GREEN, .8),
    shape('M-15-46Q-17-56-14-58Q-9-55-6-54H6Q9-55 14-58Q17-56 15-46Q20-30 12-14Q6-8 0-8T-12-14Q-20-30-15-46z', '#a9865c'),
    shape('M-9-32Q0-36 9-32Q12-18 0-11Q-12-18-9-32z', CREAM, .9), line('M-6-28q2 2 4 0q2 2 4 0q2 2 4 0M-6-23q2 2 4 0q2 2 4 0q2 2 4 0M-4-18q2 2 4 0q2 2 4 0', .8, BROWN),
    shape('M-15-34Q-20-22-12-13Q-8-22-10-33zM15-34Q20-22 12-13Q8-22 10-33z', BROWN),
    ring(-6.6, -44, 6.4, PAPER), ring(6.6, -44, 6.4, PAPER), ring(-6.2, -44, 3.3, GOLD, .8), ring(6.2, -44, 3.3, GOLD, .8), dot(-6.2, -44, 1.8), dot(6.2, -44, 1.8), shape('M-2-41Q0-44 2-41L0-36z', OCHRE, .8),
    line('M-6-9v4M-3.6-9v4M6-9v4M3.6-9v4', 1.3, OCHRE),
  ],
  // The ram that carried him out.
  IX: () => [
    sky('#dfe3cf'), shape('M-44-62h18Q-16-36-28-8L-44-2z', '#6a5a58'), ground(-9, LEAF), line('M24-12q1-5 3-6M30-11q0-4 3-6M-22-11q0-4 2-5', 1, GREEN),
    line('M-12-18V-5M-5-17V-5M10-17V-5M16-18V-5', 3.6, INK), line('M-12-18V-6M-5-17V-6M10-17V-6M16-18V-6', 2, '#4a3b34'),
    shape('M-18-22Q-24-26-20-31Q-21-37-14-38Q-11-43-4-41Q1-45 7-41Q14-42 16-36Q22-33 19-27Q20-20 13-20Q8-15 2-18Q-4-14-8-18Q-15-16-18-22z', WHITE),
    line('M-13-29q2-3 5 0M-4-33q2-3 5 0M5-29q2-3 5 0M-6-24q2-3 5 0M10-35q2-2 4 0', .9, '#9c9484'),
    shape('M14-40Q18-48 26-46Q33-42 35-33Q33-28 28-30L19-28Q14-32 14-40z', '#4a3b34'), dot(27, -38, 1.2, GOLD),
    line('M20-43C10-46 8-34 16-32C22-31 23-38 18-38', 4.2, INK), line('M20-43C10-46 8-34 16-32C22-31 23-38 18-38', 2.6, GOLD),
  ],
  // The bag of winds.
  VIII: () => [
    sky('#c3d3da'), line('M-40-52h14q6 0 6-4t-5-4M-42-46h22M20-55h16q6 0 5 5t-7 2M24-46h18M-42-24h10q5 0 5 4t-4 3M30-26h12', 1.5, WHITE),
    ground(-7, '#b58d5d'),
    shape('M-5-41Q-24-36-25-20Q-25-5-4-4H6Q26-5 26-20Q24-37 6-41z', OCHRE), fill('M-15-28Q-19-18-13-9Q-8-18-12-30z', '#c48c2e'),
    line('M8-33Q18-27 17-12M0-36Q4-24 2-8', .9, BROWN), shape('M-7-48Q0-44 7-48L6-40H-6z', OCHRE), line('M-8-41.5H8', 3, INK), line('M-8-41.5H8', 1.6, '#d7dbe0'), line('M8-41q6 1 7 6M8-42q7-2 9 2', 1.3, '#8b939c'),
    line('M-3-49C-8-56-20-52-16-46M2-49C0-60 12-62 14-56T6-53M4-48C12-52 20-50 19-45', 1.4, BLUE), eye(0, -21, .62, BROWN, 1.8),
  ],
  // The flower of forgetting.
  VII: () => [
    sky('#e8e0e6'), rays(0, -24, 24, 48, 22, '#f3ecee'), sea(-14, '#7fa8a6'),
    ...[-62, 62].map((a) => move(0, -17, shape('M0 0C-7-9-7-20 0-30C7-20 7-9 0 0z', '#e9b7bb'), `rotate(${a})`)),
    ...[-36, 36].map((a) => move(0, -17, shape('M0 0C-8-10-8-24 0-36C8-24 8-10 0 0z', '#e39aa4'), `rotate(${a})`)),
    ...[-15, 15].map((a) => move(0, -17, shape('M0 0C-8-10-8-26 0-39C8-26 8-10 0 0z', '#d77f8e'), `rotate(${a})`)),
    shape('M0-17C-7-27-7-41 0-53C7-41 7-27 0-17z', '#c96478'), line('M0-22V-40', .8, '#f5d3d6'),
    shape('M-31-13Q0-25 31-13Q0-3-31-13z', GREEN), line('M-22-13Q0-19 22-13', .8, LEAF), shape('M-41-7q9-5 18 0q-9 4-18 0zM26-6q8-4 16 0q-8 4-16 0z', LEAF, .9),
  ],
  // The island.
  VI: () => [
    sky('#e9cfae'), fill('M-43-62h86v20q-43 10-86 0z', '#d79f7e'), ring(0, -34, 12, '#f2c56b', .9), sea(-15),
    shape('M-33-11Q-28-22-16-24Q-8-32 4-28Q16-30 22-20Q31-19 34-11Q0-5-33-11z', '#c7a76c'), shape('M-26-17Q-16-27-8-26Q2-32 12-26Q20-24 25-16Q0-22-26-17z', LEAF, .9),
    cypress(-12, -23, 20), cypress(-5, -25, 25), cypress(2, -26, 18), shape('M8-18h12v-9l-6-5-6 5z', PAPER, .9), shape('M12-18h4v-6h-4z', BLUE, .7), shape('M7-26.6l7-6 7 6z', RED, .9),
    line('M-37-44q3-4 6 0q3-4 6 0M24-50q2.6-3 5 0q2.6-3 5 0', 1.1), line('M-14-5h28', 1, WHITE),
  ],
  // The sea god's trident and his dolphin.
  V: () => [
    sky('#b9d3d0'), rays(0, -62, 6, 46, 14, '#cfe2dc'),
    line('M0-2V-40', 4.4, INK), line('M0-2V-41', 2.8, GOLD), line('M-12-54V-45Q-12-38 0-38T12-45V-54', 4.4, INK), line('M-12-53V-45Q-12-38 0-38T12-45V-53', 2.6, GOLD), line('M0-38V-54', 4.4, INK), line('M0-38V-53', 2.6, GOLD),
    shape('M-15-53l3-7 3 7zM-3-53l3-7 3 7zM9-53l3-7 3 7z', GOLD),
    shape('M-30-12C-34-32-10-42 12-32Q20-33 27-27Q20-25 16-25C20-22 18-18 18-16Q12-20 8-23C-6-26-20-24-23-10L-16-5L-25-6L-33-3z', BLUE), fill('M12-30Q19-31 24-27Q18-26 14-26Q0-29-9-27Q0-32 12-30z', '#dbe7e6'), shape('M-8-36Q-8-44-15-46Q-17-40-16-34z', BLUE), ring(13, -29, 1.1, WHITE, .7),
    sea(-8),
  ],
  // The old dog who knew him.
  IV: () => [
    sky('#efe0c0'), shape('M-44-10V-56h20v46z', STONE, 1), shape('M-38-10V-36q4-8 8 0v26z', '#5c4636', .9), line('M-42-50h7M-36-44h8M-43-42h5', .7, '#8d8577'), ring(26, -48, 7, GOLD, .8), ground(-8, '#c8a869'),
    shape('M-18-7Q-22-20-8-24Q4-28 14-26Q14-36 19-40L20-46L26-41Q34-40 38-33Q38-29 32-29L29-27Q28-18 24-13L32-10Q33-6 29-6H-12z', '#b98a58'),
    shape('M19-40L14-43Q10-36 14-31Q19-32 21-37z', BROWN, .9), line('M26-35.4q1.7 1.3 3.4 0', 1.1), dot(37, -33, 1.5), line('M33-30q2 .6 3.6-.6', .8),
    line('M-17-9Q-28-8-30-15Q-31-19-27-20', 3.8, INK), line('M-17-9Q-28-8-30-15Q-31-19-27-20', 2.2, '#b98a58'), line('M-2-8Q-10-12-3-18M16-8Q18-14 14-18', 1), line('M2-22q4-1 8 0', .7),
  ],
  // The olive tree.
  III: () => [
    sky('#d9e3da'), ring(-29, -50, 6, GOLD, .8), shape('M-44-12L-20-26L-4-16L18-28L44-13V1h-88z', '#a9bba4', .8), ground(-8, '#cdb078'),
    shape('M-9-6Q-3-14-6-24Q-12-30-16-34L-11-35Q-4-30-1-27Q2-36 8-40L11-37Q5-30 5-22Q4-12 12-6Q4-8 2-5Q-2-9-9-6z', BROWN), line('M0-22Q-1-14 1-9M-3-20Q-3-15-4-11', .8, '#5c3a20'),
    ...[[-17, -40, 11], [-5, -48, 12], [9, -47, 12], [19, -39, 10], [2, -40, 9]].map(([x, y, r]) => shape(`M${x - r} ${y}a${r} ${r * 0.72} 0 1 0 ${2 * r} 0a${r} ${r * 0.72} 0 1 0 ${-2 * r} 0z`, GREEN, .9)),
    ...[[-20, -42], [-12, -38], [-8, -50], [2, -46], [12, -50], [8, -41], [20, -41], [-2, -39], [15, -37]].map(([x, y]) => line(`M${x - 3} ${y}q3-2.4 6 0`, .9, '#b9cda6')), dot(-15, -44, 1.4, INK), dot(4, -51, 1.4, INK), dot(16, -43, 1.4, INK), dot(-4, -43, 1.4, INK), dot(9, -37, 1.4, INK),
  ],
  // The stone with the name. (The II has always carried the words of the deck.)
  II: () => [
    sky('#e3e0d0'), rays(0, -38, 12, 46, 24, '#efe9d6'),
    shape('M-36 1L-30-20H30L36 1z', STONE), shape('M-31-17H31L34-3H-34z', '#d9d2c3', .9),
    // Outis, in Greek letters cut into the stone
    move(-24, -14.2, line('M3.2 0a3.2 4 0 1 0 .1 0zM10.6 0l3 4.6v3.6M16.6 0l-3 4.6M20.6 0h6.6M23.9 0v8.2M32 0v8.2M42.6 0h-5.4l3.2 4-3.2 4.2h5.6', 1.3)),
    shape('M0-50C-8-56-24-56-37-48Q-30-46-29-43Q-24-44-22-40Q-17-41-14-36Q-10-37-6-32L0-24z', '#8a6a45'), shape('M0-50C8-56 24-56 37-48Q30-46 29-43Q24-44 22-40Q17-41 14-36Q10-37 6-32L0-24z', '#8a6a45'),
    line('M-10-49q-8-2-16 0M-10-45q-6-2-12 1M10-49q8-2 16 0M10-45q6-2 12 1', .8, '#5d452b'),
    shape('M-7-44Q-8-30 0-22Q8-30 7-44z', '#a9865c'), line('M-3-36q3 2 6 0M-2.6-31q2.6 2 5.2 0', .8, '#5d452b'), shape('M-6-47Q-6-57 2-57Q8-56 9-51Q12-51 11-47L7-48Q7-44 4-42Q-5-40-6-47z', PAPER), dot(4, -52, 1.1), shape('M8-51Q13-51 11-46L7-48z', OCHRE, .8),
    line('M-4-24v4M-1-23v3M4-24v4M1-23v3', 1.4, OCHRE),
  ],
  // The pagát: the smallest of all, with a trick up his sleeve.
  pagat: () => [
    sky('#ecdfc3'), shape('M-44-62h14Q-26-40-44-22zM44-62h-14Q26-40 44-22z', RED, 1), line('M-38-62Q-33-44-44-30M38-62Q33-44 44-30', .8, '#7d241c'),
    // hat
    shape('M-21-47Q0-54 21-47Q16-42 0-42T-21-47z', GREEN), shape('M-10-47Q-11-59 0-59T10-47Q0-50-10-47z', GREEN), line('M-10.4-49Q0-53 10.4-49', 2, GOLD), shape('M9-50Q20-58 27-53Q20-51 12-46z', RED, .9),
    // face
    shape('M-8.4-45Q0-48 8.4-45Q9-32 0-30T-8.4-45z', SKIN), dot(-3.3, -40.6, 1), dot(3.3, -40.6, 1), line('M-5.6-43q2-1.4 4 0M1.6-43q2-1.4 4 0', .8), line('M0-40l-1 3.4h1.6', .9), line('M-4-35.6Q0-38 4-35.6Q5.5-36.6 6.4-35.4M-4-35.6Q-5.5-36.6-6.4-35.4', 1.2, '#4a2e22'), line('M-2-33q2 1.4 4 0', 1, RED),
    // coat, arms, one hand up with the ball
    shape('M-8-31Q0-26 8-31Q20-29 22-14H-22Q-20-29-8-31z', BLUE), shape('M-6-31Q0-27 6-31L3-14H-3z', WHITE, .9), dot(0, -24, .9), dot(0, -19, .9),
    line('M17-25Q28-28 29-40', 7, INK), line('M17-25Q28-28 29-40', 4.8, BLUE), ring(29.4, -42, 3.2, SKIN, .9), ring(29.4, -49, 3, GOLD, .9),
    line('M-17-25Q-28-22-22-15', 7, INK), line('M-17-25Q-28-22-22-15', 4.8, BLUE), ring(-20, -14.5, 3.2, SKIN, .9),
    // table and three cups
    shape('M-38-9h76v4h-76z', BROWN), shape('M-38-5H38V1h-76z', RED), line('M-36-2l4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3 4 3 4-3', 1, GOLD),
    ...[-11, 4, 19].map((x) => shape(`M${x - 5}-9l1.6-9h6.8l1.6 9z`, GOLD, 1) + line(`M${x - 4}-12.4h8`, 1, RED)),
  ],
};

export const NUMERALS = ['skiz', 'XXI', 'XX', 'XIX', 'XVIII', 'XVII', 'XVI', 'XV', 'XIV', 'XIII', 'XII', 'XI', 'X', 'IX', 'VIII', 'VII', 'VI', 'V', 'IV', 'III', 'II', 'pagat'];

/** The scene of one tarokk as SVG. */
export const scene = (name) => SCENES[name]().join('');
