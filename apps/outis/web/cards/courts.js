// Kings, queens, cavaliers and jacks: half figures that meet themselves at the middle line, as in every card since
// people stopped turning their hands round. Same coordinates as the tarokk scenes, figures below y = -56.

import { BLUE, BROWN, CREAM, GOLD, GREEN, INK, NIGHT, OCHRE, PAPER, RED, SKIN, STONE, WHITE, dot, line, move, ring, shape, suit } from './parts.js';

const DRESS = {
  H: { robe: RED, second: GOLD, lining: '#7d241c', hair: '#6b4226', ground: '#f3e4cf' },
  D: { robe: OCHRE, second: BLUE, lining: '#9a6a1d', hair: '#c99a4b', ground: '#eef0e6' },
  S: { robe: NIGHT, second: RED, lining: '#172341', hair: '#2b2320', ground: '#e8e6e4' },
  C: { robe: GREEN, second: GOLD, lining: '#345a3b', hair: '#8c4a26', ground: '#eef0dc' },
};

const face = (mouth) => shape('M-8-43Q0-47 8-43Q9-28 0-25T-8-43z', SKIN)
  + dot(-3.2, -37.6, 0.95) + dot(3.2, -37.6, 0.95) + line('M-5.2-39.8q2-1.4 4 0M1.2-39.8q2-1.4 4 0', 0.8)
  + line('M.2-37l-1.3 4.2h1.7', 0.8) + line(`M-2.2-29.6q2.2 ${mouth} 4.4 0`, 1, RED);

const robe = (which, d, motif) => shape('M-7-24Q0-20 7-24Q25-22 31 1H-31Q-25-22-7-24z', d.robe)
  + suit(which, -18, -7.5, 0.62, motif) + suit(which, 18, -7.5, 0.62, motif) + suit(which, -24, -.8, 0.4, motif) + suit(which, 24, -.8, 0.4, motif);

const sleeveHand = (x, y, colour) => shape(`M${x - 5} ${y + 9}Q${x - 6} ${y + 2} ${x - 3} ${y}H${x + 4}Q${x + 6} ${y + 3} ${x + 5} ${y + 9}z`, colour, 1) + shape(`M${x - 3} ${y + 1}q-1-5 3-5.4t4 5.4z`, SKIN, 0.9);

function king(which, d) {
  return [
    shape('M-9-40Q-14-30-11-22H11Q14-30 9-40z', d.hair),
    robe(which, d, d.second),
    shape('M-19-22Q-8-12 0-12T19-22Q21-16 18-12Q8-4 0-4T-18-12Q-21-16-19-22z', WHITE), ...[[-13, -15], [-6, -10], [2, -8.6], [8, -11], [15, -15]].map(([x, y]) => line(`M${x} ${y}v2.4`, 1.2)),
    face(1), shape('M-8-33Q-6-31-4-32Q0-34 4-32Q6-31 8-33Q9-20 0-15Q-9-20-8-33z', d.hair, 1), line('M-2-29.6q2 1.2 4 0', 1, RED), line('M-3-25l1 5M3-25l-1 5M0-25v6', 0.7, d.lining),
    shape('M-11-43L-14-55L-7-50L0-58L7-50L14-55L11-43Q0-47-11-43z', GOLD), line('M-10.6-45Q0-49 10.6-45', 1.4, RED), dot(-14, -55.6, 1.6, GOLD), dot(14, -55.6, 1.6, GOLD), ring(0, -58, 1.9, RED, 0.8), dot(-5, -47.6, 1, BLUE), dot(5, -47.6, 1, BLUE),
    line('M-30 0L-33-36', 3, INK), line('M-30 0L-33-36', 1.6, GOLD), ring(-33.3, -39, 3.4, GOLD, 1), line('M-33.4-46v5M-35.6-44h4.4', 1.4, INK), sleeveHand(-31, -13, d.robe),
    ring(31, -19, 5.4, d.second), line('M26-19h10.6M31-24.4q3 5 0 10.6', .9), line('M31-28v3.6M29.4-26.6h3.4', 1.2), sleeveHand(30.5, -11, d.robe),
  ];
}

function queen(which, d) {
  return [
    shape('M-9-46Q-20-38-16-16Q-9-12-6-18H6Q9-12 16-16Q20-38 9-46z', d.hair), line('M-13-38Q-15-28-12-18M13-38Q15-28 12-18', 0.8, d.lining),
    robe(which, d, d.second),
    shape('M-7-24Q0-8 7-24Q12-23 13-20Q6-4 0-3T-13-20Q-12-23-7-24z', PAPER), shape('M-4.4-26h8.8v5Q0-16-4.4-21z', SKIN, 0.8), line('M-6-20Q0-13 6-20', 1.1, GOLD), ring(0, -14.6, 1.8, d.second, .8),
    face(1.6), dot(-5.2, -33, 1.2, '#e0a184'), dot(5.2, -33, 1.2, '#e0a184'),
    shape('M-8.6-37Q-10-46 0-47.6Q10-46 8.6-37Q5-43 0-43.6Q-5-43-8.6-37z', d.hair, .9),
    shape('M-9-46L-10-53L-5-49.6L0-55L5-49.6L10-53L9-46Q0-49-9-46z', GOLD), ...[-10, 0, 10].map((x) => ring(x, x ? -53.4 : -55.6, 1.3, WHITE, 0.7)), dot(0, -49.4, 1.1, RED),
    line('M-30-3Q-33-16-31-27', 1.5, GREEN), shape('M-32-16q-6-1-7-6q6 0 7 6z', GREEN, .8), ...[0, 72, 144, 216, 288].map((a) => move(-31, -31, shape('M0 0q-3.4-3.4 0-6q3.4 2.6 0 6z', d.second === GOLD ? RED : WHITE, .8), `rotate(${a})`)), dot(-31, -31, 1.8, GOLD), sleeveHand(-30, -11, d.robe),
    shape('M22-4Q23-20 36-24Q38-10 30-1z', d.second, 1), line('M24-4Q27-14 35-22M26-3Q31-12 36-18M23.6-7Q25-16 33-22', .7), sleeveHand(25, -7, d.robe),
  ];
}

function cavalier(which, d) {
  return [
    // the horse
    shape('M2 1Q6-14 11-22Q13-33 20-37L21-43L25-39Q32-36 38-24Q39-18 35-17Q31-17 29-20L25-20Q27-9 32 1z', which === 'S' || which === 'H' ? WHITE : '#a9743f'), shape('M20-37Q12-34 10-22L5-8Q1-14 4-22Q8-34 19-40z', d.hair, 1),
    dot(26, -32, 1.2), dot(35, -20.6, 1), line('M24-22L33-28M31-18Q28-24 29-31M24-22Q22-30 24-37', 1.1, RED), line('M24-22Q14-12 4-10', 1.1, RED),
    // the rider
    shape('M-17-24Q-9-20-2-24Q10-20 12 1H-36Q-32-21-17-24z', d.robe), suit(which, -21, -7, 0.7, d.second), line('M-10-22V0', 1, d.second), ...[-19, -14, -9, -4].map((y) => dot(-7.4, y + 2, 1, GOLD)),
    shape('M-19-23Q-9-16 0-23L-1-19Q-10-12-18-19z', WHITE, .9),
    move(-9.6, 0, shape('M-9-45Q-12-32-9-26L-6-27V-42zM9-45Q12-32 9-26L6-27V-42z', d.hair, 1) + face(1.4) + line('M-4-31.4Q0-33 4-31.4', 1.2, d.hair)
      + shape('M-17-43Q0-50 17-43Q12-39 0-41T-17-43z', d.second === GOLD ? d.lining : d.second) + shape('M-9-44Q-9-54 0-54T9-44Q0-47-9-44z', d.second === GOLD ? d.lining : d.second) + line('M-9-45.6Q0-49 9-45.6', 1.5, GOLD) + shape('M6-49Q14-60 24-54Q26-50 22-49Q18-50 8-44z', WHITE, .9)),
    line('M-36 0L-38-50', 2.8, INK), line('M-36 0L-38-50', 1.5, BROWN), shape('M-38-58l2.6 8h-5.2z', STONE, .9), shape('M-37.6-48Q-30-50-25-45Q-30-43-37.3-40z', d.second, .9), sleeveHand(-35.6, -15, d.robe),
  ];
}

function jack(which, d) {
  return [
    shape('M-10-44Q-14-30-10-25H10Q14-30 10-44z', d.hair),
    robe(which, d, d.second), line('M0-20V0', 1.1, d.second), ...[-16, -11, -6, -1].map((y) => ring(0, y, 1.3, d.second, .6)),
    shape('M-14-24Q-7-17 0-19Q7-17 14-24Q15-19 11-16Q5-12 0-15Q-5-12-11-16Q-15-19-14-24z', CREAM),
    face(1.8), shape('M-8.6-36Q-9-44 0-45T8.6-36Q4-41-2-40.6Q-6-40-8.6-36z', d.hair, .9),
    shape('M-15-42Q-17-52-2-54Q15-55 15-43Q8-47-2-46T-15-42z', d.second), line('M-14-43.4Q0-49 14.6-44', 1.6, GOLD), shape('M11-50Q16-62 28-59Q30-52 22-51Q18-47 12-46z', WHITE, .9), line('M12-48Q18-55 26-57', .7),
    line('M-31 1V-48', 3, INK), line('M-31 1V-48', 1.6, BROWN), shape('M-31-58l2.4 9h-4.8z', STONE, .9), shape('M-30-46Q-20-50-20-42T-30-36z', STONE, 1), shape('M-32-44l-6 3 6 3z', STONE, .9), sleeveHand(-31, -14, d.robe),
    shape('M22-1L25-12L34-15L36-3L28 1z', PAPER, 1), suit(which, 29.6, -7, 0.55, d.robe === OCHRE ? RED : d.robe), sleeveHand(24, -4, d.robe),
  ];
}

const RANKS = { K: king, Q: queen, C: cavalier, J: jack };

/** The half figure of a court card as SVG. */
export const court = (which, rank) => RANKS[rank](which, DRESS[which]).join('');
/** The colour behind it. */
export const courtGround = (which) => DRESS[which].ground;
