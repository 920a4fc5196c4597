"""What programs ask for."""
