/* A countdown for an exercise in class, from its own minutes: t starts and
   stops it. It goes on while other slides are shown, and counts up when time is
   over. */
"use strict";

Present.clock = (minutes, section) => {
  const button = Present.el("button", "present-clock");
  button.type = "button";
  let left = minutes * 60;
  let ticking = 0;
  const show = () => {
    const whole = Math.floor(Math.abs(left) / 60);
    const rest = Math.abs(left) % 60;
    button.textContent =
      `${left < 0 ? "+" : ""}${whole}:${String(rest).padStart(2, "0")}`;
    button.classList.toggle("over", left <= 0);
    button.classList.toggle("going", Boolean(ticking));
    button.setAttribute("aria-label",
      `${ticking ? "Stop" : "Start"} the countdown, ${button.textContent}`);
  };
  const stop = () => {
    clearInterval(ticking);
    ticking = 0;
    show();
  };
  const toggle = () => {
    if (ticking) return stop();
    ticking = setInterval(() => {
      left -= 1;
      show();
    }, 1000);
    return show();
  };
  button.addEventListener("click", toggle);
  section.append(button);
  show();
  return { toggle, stop };
};
