"""Local search over matrices, trees and terms."""
