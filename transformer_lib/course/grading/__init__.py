"""Marking a class: what a chapter asks, and where its answers stand."""
